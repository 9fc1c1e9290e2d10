(block . (identifier) @how . (string_lit (template_literal) @name) . (block_start) @body (#match? @how "^variable$")) @definition.var
(block . (identifier) @how . (string_lit (template_literal) @name) . (block_start) @body (#eq? @how "output")) @definition.const
(block . (identifier) @how . (string_lit (template_literal) @name) . (block_start) @body (#eq? @how "module")) @definition.module
(config_file (body (block . (identifier) . (string_lit (template_literal) @name) . (string_lit (template_literal) @name) . (block_start) @body) @definition.config))
(config_file (body (block . (identifier) . (string_lit (template_literal) @name) . (block_start) @body) @definition.config))
(config_file (body (block . (identifier) @name . (block_start) @body) @definition.config))
(block . (identifier) @how (body (attribute . (identifier) @name) @definition.const) (#eq? @how "locals"))
(config_file (body (attribute . (identifier) @name) @definition.config))

(block . (identifier) @how (body (attribute . (identifier) @key (expression (literal_value (string_lit (template_literal) @import.module)))) @import)
  (#eq? @how "module") (#eq? @key "source"))

(function_call . (identifier) @reference.call)
(variable_expr (identifier) @reference.use)
(get_attr (identifier) @reference.use)

(comment) @comment
