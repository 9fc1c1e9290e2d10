(binding attrpath: (_) @name expression: (function_expression)) @definition.function
(let_expression (binding_set (binding attrpath: (_) @name) @definition.var))
(binding attrpath: (_) @name) @definition.field
(formal name: (_) @local)
(function_expression universal: (_) @local)

(path_expression) @import.module @import

(apply_expression function: (variable_expression name: (_) @reference.call))
(apply_expression function: (select_expression attrpath: (attrpath attr: (_) @reference.call .)))
(variable_expression name: (_) @reference.use)
(select_expression attrpath: (attrpath attr: (identifier) @reference.use))

(comment) @comment
