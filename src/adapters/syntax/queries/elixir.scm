(call target: (identifier) @how (arguments . (alias) @name) (do_block) @body (#match? @how "^def(protocol|impl)$")) @definition.interface
(call target: (identifier) @how (arguments . (alias) @name) (do_block) @body (#eq? @how "defmodule")) @definition.module
(call target: (identifier) @how
  (arguments . [(call target: (identifier) @name) (identifier) @name (binary_operator left: (call target: (identifier) @name))])
  (do_block)? @body (#match? @how "^defmacrop?$")) @definition.macro
(call target: (identifier) @how
  (arguments . [(call target: (identifier) @name) (identifier) @name (binary_operator left: (call target: (identifier) @name))])
  (do_block)? @body (#match? @how "^def(p|guard|guardp|delegate)?$")) @definition.function
(unary_operator operand: (call target: (identifier) @how (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))
  (#match? @how "^(type|typep|opaque)$")) @definition.type
(unary_operator operand: (call target: (identifier) @name (arguments (_)))
  (#not-match? @name "^(moduledoc|doc|typedoc|spec|type|typep|opaque|callback|macrocallback|impl|behaviour|derive|enforce_keys|deprecated|since|tag|moduletag|describetag|dialyzer|compile|external_resource|before_compile|after_compile|on_load|on_definition)$")) @definition.const

(call target: (identifier) @how (arguments . (alias) @import.module) (#match? @how "^(use|import|alias|require)$")) @import
(call target: (identifier) @how (arguments . (dot) @import.tree) (#eq? @how "alias")) @import

(call target: (dot right: (identifier) @reference.call))
(call target: (identifier) @ignored (#match? @ignored "^(def|use$|import$|alias$|require$|quote$|unquote$|moduledoc$|doc$|type$)"))
(call target: (identifier) @reference.call)
(alias) @reference.type

(unary_operator operand: (call target: (identifier) @how (arguments (string) @comment)) (#match? @how "^(doc|typedoc)$"))
(unary_operator operand: (call target: (identifier) @how (arguments (string) @doc)) (#eq? @how "moduledoc"))
(comment) @comment
