; The keys of the top two levels.
(document (object (pair key: (string) @name) @definition.config))
(document (object (pair value: (object (pair key: (string) @name) @definition.config))))
(document (object (pair key: (string (string_content) @section) value: (object (pair key: (string) @import.module) @import))
  (#match? @section "^((dev|peer|optional|bundled)?[dD]ependencies|require(-dev)?)$")))
(comment) @comment
