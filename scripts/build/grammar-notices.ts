/**
 * Who wrote the grammars and under which terms. `tree-sitter-wasm` builds them and carries only its own licence; these are
 * the notices of the packages that it names as their sources. The build stops at a grammar without a row.
 */
export type Notice = { readonly license: "MIT" | "Apache-2.0"; readonly copyright: string };

const mit = (copyright: string): Notice => ({ license: "MIT", copyright });
const maxBrunsfeld = (year: number): Notice => mit(`Copyright (c) ${year} Max Brunsfeld`);
const ika = mit("Copyright (c) Ika <ikatyang@gmail.com> (https://github.com/ikatyang)");

export const grammarNotices: Readonly<Record<string, Notice>> = {
  bash: maxBrunsfeld(2017),
  c: maxBrunsfeld(2014),
  c_sharp: mit("Copyright (c) 2014-2023 Max Brunsfeld, Damien Guard, Amaan Qureshi, and contributors."),
  cpp: maxBrunsfeld(2014),
  dart: mit("Copyright (c) 2020-2022 UserNobody14 and others"),
  elixir: { license: "Apache-2.0", copyright: "Source: https://github.com/elixir-lang/tree-sitter-elixir" },
  go: maxBrunsfeld(2014),
  java: mit("Copyright (c) 2017 Ayman Nadeem"),
  javascript: maxBrunsfeld(2014),
  json: maxBrunsfeld(2014),
  kotlin: mit("Copyright (c) 2019 fwcd"),
  nix: mit("Copyright (c) 2019 Charles Strahan"),
  ocaml: mit("Copyright (c) 2020 Max Brunsfeld and Pieter Goetschalckx"),
  php: mit(
    "Copyright (c) 2017 Josh Vera, GitHub\nCopyright (c) 2019 Max Brunsfeld, Amaan Qureshi, Christian Frøystad, Caleb White",
  ),
  python: maxBrunsfeld(2016),
  ruby: mit("Copyright (c) 2016 Rob Rix"),
  rust: mit("Copyright (c) 2017 Maxim Sokolov"),
  svelte: mit("Copyright © Himujjal Upadhyaya <himu@tuta.io>"),
  swift: mit("Copyright (c) 2021 alex-pinkus"),
  terraform: { license: "Apache-2.0", copyright: "Source: https://github.com/tree-sitter-grammars/tree-sitter-hcl" },
  toml: ika,
  tsx: maxBrunsfeld(2017),
  typescript: maxBrunsfeld(2017),
  vue: ika,
  yaml: mit("Copyright (c) 2024 tree-sitter-grammars contributors\nCopyright (c) 2019-2021 Ika"),
  zig: mit("Copyright (c) 2024 Amaan Qureshi <amaanq12@gmail.com>"),
};
