/**
 * Small projects in eight languages, and what a reader finds in them: written by hand from the text, not recorded from the
 * index. Places are `path:line`. A project has two files at least, so that imports and usages cross them.
 */
export type FixtureProject = {
  readonly files: Readonly<Record<string, string>>;
  /** All symbols, `path:line kind name`; a package clause names a module. */
  readonly symbols: readonly string[];
  /** File, folder or module, and the places that import it. */
  readonly dependents: Readonly<Record<string, readonly string[]>>;
  /** Symbol, and the places that use it, `path:line kind`. */
  readonly usages: Readonly<Record<string, readonly string[]>>;
};

export const fixtureProjects: Readonly<Record<string, FixtureProject>> = {
  TypeScript: {
    files: {
      "src/price.ts": `export type Order = { cents: number };
export function priceOf(order: Order): number {
  return order.cents;
}
`,
      "src/cart.ts": `import { readFileSync } from "node:fs";
import {
  priceOf,
  type Order,
} from "./price.js";

export class Cart {
  total(orders: Order[]): number {
    return orders.map((order) => priceOf(order)).length;
  }
}
export const banner = readFileSync("banner.txt");
`,
    },
    symbols: [
      "src/cart.ts:7 class Cart",
      "src/cart.ts:8 method total",
      "src/cart.ts:12 const banner",
      "src/price.ts:1 type Order",
      "src/price.ts:1 field cents",
      "src/price.ts:2 function priceOf",
    ],
    dependents: { "src/price.ts": ["src/cart.ts:5"], "node:fs": ["src/cart.ts:1"] },
    usages: {
      priceOf: ["src/cart.ts:3 import", "src/cart.ts:9 call"],
      Order: ["src/cart.ts:4 import", "src/cart.ts:8 type", "src/price.ts:2 type"],
    },
  },
  Go: {
    files: {
      "go.mod": "module example.com/shop\n\ngo 1.22\n",
      "price/price.go": `package price

type Order struct {
	Cents int
}

func Of(order Order) int { return order.Cents }
`,
      "price/price_test.go": "package price\n",
      "cmd/main.go": `package main

import (
	"fmt"
	money "example.com/shop/price"
)

func main() {
	fmt.Println(money.Of(money.Order{Cents: 5}))
}
`,
    },
    symbols: [
      "cmd/main.go:1 module main",
      "cmd/main.go:8 function main",
      "go.mod:1 config module",
      "go.mod:3 config go",
      "price/price.go:1 module price",
      "price/price.go:3 struct Order",
      "price/price.go:4 field Cents",
      "price/price.go:7 function Of",
      "price/price_test.go:1 module price",
    ],
    dependents: {
      "price/price.go": ["cmd/main.go:5"],
      price: ["cmd/main.go:5"],
      "example.com/shop/price": ["cmd/main.go:5"],
      "price/price_test.go": [],
      fmt: ["cmd/main.go:4"],
    },
    usages: {
      Of: ["cmd/main.go:9 call"],
      Order: ["cmd/main.go:9 type", "price/price.go:7 type"],
    },
  },
  Python: {
    files: {
      "shop/__init__.py": "",
      "shop/price.py": `LIMIT = 100


class Order:
    def __init__(self, cents):
        self.cents = cents


def price_of(order):
    return min(order.cents, LIMIT)
`,
      "shop/cart.py": `import os
from . import price
from .price import price_of


def total(orders):
    return sum(price_of(order) for order in orders) + price.LIMIT
`,
    },
    symbols: [
      "shop/cart.py:6 function total",
      "shop/price.py:1 const LIMIT",
      "shop/price.py:4 class Order",
      "shop/price.py:5 constructor __init__",
      "shop/price.py:9 function price_of",
    ],
    dependents: { "shop/price.py": ["shop/cart.py:2", "shop/cart.py:3"], os: ["shop/cart.py:1"] },
    usages: {
      price_of: ["shop/cart.py:3 import", "shop/cart.py:7 call"],
      LIMIT: ["shop/cart.py:7 use", "shop/price.py:10 use"],
    },
  },
  Rust: {
    files: {
      "Cargo.toml": '[package]\nname = "shop"\n',
      "src/main.rs": `mod price;

use std::env;
use crate::price::{price_of, Order};

fn main() {
    let order = Order { cents: 5 };
    println!("{} {:?}", price_of(&order), env::args());
}
`,
      "src/price.rs": `pub struct Order {
    pub cents: u32,
}

pub fn price_of(order: &Order) -> u32 {
    order.cents
}
`,
    },
    symbols: [
      "Cargo.toml:1 config package",
      "Cargo.toml:2 config name",
      "src/main.rs:1 module price",
      "src/main.rs:6 function main",
      "src/price.rs:1 struct Order",
      "src/price.rs:2 field cents",
      "src/price.rs:5 function price_of",
    ],
    dependents: { "src/price.rs": ["src/main.rs:1", "src/main.rs:4"], std: ["src/main.rs:3"] },
    usages: {
      price_of: ["src/main.rs:4 import", "src/main.rs:8 call"],
      Order: ["src/main.rs:4 import", "src/main.rs:7 type", "src/price.rs:5 type"],
    },
  },
  Java: {
    files: {
      "src/main/java/com/shop/price/Order.java": `package com.shop.price;

public class Order {
  private final int cents;

  public Order(int cents) {
    this.cents = cents;
  }

  public int price() {
    return cents;
  }
}
`,
      "src/main/java/com/shop/Cart.java": `package com.shop;

import com.shop.price.Order;
import java.util.List;

public class Cart {
  public int total(List<Order> orders) {
    return orders.stream().mapToInt(order -> order.price()).sum();
  }
}
`,
      "src/test/java/com/shop/AllTest.java": `package com.shop;

import com.shop.price.*;

class AllTest {
  void adds() {
    new Order(5).price();
  }
}
`,
    },
    symbols: [
      "src/main/java/com/shop/Cart.java:1 module com.shop",
      "src/main/java/com/shop/Cart.java:6 class Cart",
      "src/main/java/com/shop/Cart.java:7 method total",
      "src/main/java/com/shop/price/Order.java:1 module com.shop.price",
      "src/main/java/com/shop/price/Order.java:3 class Order",
      "src/main/java/com/shop/price/Order.java:4 field cents",
      "src/main/java/com/shop/price/Order.java:6 constructor Order",
      "src/main/java/com/shop/price/Order.java:10 method price",
      "src/test/java/com/shop/AllTest.java:1 module com.shop",
      "src/test/java/com/shop/AllTest.java:5 class AllTest",
      "src/test/java/com/shop/AllTest.java:6 method adds",
    ],
    dependents: {
      "src/main/java/com/shop/price/Order.java": [
        "src/main/java/com/shop/Cart.java:3",
        "src/test/java/com/shop/AllTest.java:3",
      ],
      "com.shop.price": ["src/main/java/com/shop/Cart.java:3", "src/test/java/com/shop/AllTest.java:3"],
      "java.util": ["src/main/java/com/shop/Cart.java:4"],
    },
    usages: {
      Order: [
        "src/main/java/com/shop/Cart.java:3 import",
        "src/main/java/com/shop/Cart.java:7 type",
        "src/test/java/com/shop/AllTest.java:7 call",
      ],
      price: ["src/main/java/com/shop/Cart.java:8 call", "src/test/java/com/shop/AllTest.java:7 call"],
    },
  },
  C: {
    files: {
      "include/price.h": `#ifndef PRICE_H
#define PRICE_H
#define LIMIT 100
struct order { int cents; };
int price_of(struct order *order);
#endif
`,
      "src/price.c": `#include "price.h"

int price_of(struct order *order) {
  return order->cents > LIMIT ? LIMIT : order->cents;
}
`,
      "src/main.c": `#include <stdio.h>
#include "price.h"

int main(void) {
  struct order order = { 5 };
  printf("%d", price_of(&order));
  return 0;
}
`,
    },
    symbols: [
      "include/price.h:2 macro PRICE_H",
      "include/price.h:3 macro LIMIT",
      "include/price.h:4 struct order",
      "include/price.h:4 field cents",
      "include/price.h:5 function price_of",
      "src/main.c:4 function main",
      "src/price.c:3 function price_of",
    ],
    dependents: { "include/price.h": ["src/main.c:2", "src/price.c:1"], "stdio.h": ["src/main.c:1"] },
    usages: { price_of: ["src/main.c:6 call"], LIMIT: ["src/price.c:4 use"] },
  },
  Ruby: {
    files: {
      "lib/shop/price.rb": `module Shop
  LIMIT = 100

  class Order
    attr_reader :cents

    def price
      [@cents, LIMIT].min
    end
  end
end
`,
      "lib/shop.rb": `require "json"
require "shop/price"

def total(orders)
  orders.sum { |order| order.price } + Shop::Order.new.price
end
`,
      "bin/shop.rb": `require_relative "../lib/shop"

puts total([])
`,
    },
    symbols: [
      "lib/shop.rb:4 function total",
      "lib/shop/price.rb:1 module Shop",
      "lib/shop/price.rb:2 const LIMIT",
      "lib/shop/price.rb:4 class Order",
      "lib/shop/price.rb:5 field cents",
      "lib/shop/price.rb:7 method price",
    ],
    dependents: { "lib/shop/price.rb": ["lib/shop.rb:2"], "lib/shop.rb": ["bin/shop.rb:1"], json: ["lib/shop.rb:1"] },
    usages: {
      total: ["bin/shop.rb:3 call"],
      price: ["lib/shop.rb:5 call"],
      LIMIT: ["lib/shop/price.rb:8 use"],
    },
  },
  Bash: {
    files: {
      "lib/price.sh": `LIMIT=100
price_of() {
  echo "$(( $1 > LIMIT ? LIMIT : $1 ))"
}
`,
      "bin/total.sh": `#!/bin/bash
source "$(dirname "$0")/../lib/price.sh"

function total {
  price_of 5
}
total
`,
    },
    symbols: ["bin/total.sh:4 function total", "lib/price.sh:1 var LIMIT", "lib/price.sh:2 function price_of"],
    dependents: { "lib/price.sh": ["bin/total.sh:2"] },
    usages: { price_of: ["bin/total.sh:5 call"], total: ["bin/total.sh:7 call"] },
  },
};
