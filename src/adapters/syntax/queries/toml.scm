(document (pair . (_) @name) @definition.config)
(table . (_) @name) @definition.config
(table_array_element . (_) @name) @definition.config
(table (pair . (_) @name) @definition.config)

; Cargo and Poetry: a table of dependencies, or a table for one of them.
(table . (_) @section (pair . (_) @import.module) @import (#match? @section "(^|\\.)(dev-|build-)?dependencies$"))
(table . (dotted_key . (bare_key) @section . (bare_key) @import.module) @import (#match? @section "^(dev-|build-)?dependencies$"))
; Python's requirements: `name[extra] >= 1 ; marker`.
(table . (_) @section (pair . (_) @key (array (string) @import.requirement @import)) (#eq? @section "project") (#eq? @key "dependencies"))
(table . (_) @section (pair (array (string) @import.requirement @import))
  (#match? @section "^(project\\.optional-dependencies|dependency-groups|build-system)$"))
(comment) @comment
