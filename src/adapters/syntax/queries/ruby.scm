(module name: (_) @name) @definition.module
(class name: (_) @name) @definition.class
([(class body: (body_statement (method name: (_) @name (#eq? @name "initialize")) @definition.constructor))])
(class body: (body_statement (method name: (_) @name) @definition.method))
(module body: (body_statement (method name: (_) @name) @definition.method))
(singleton_class body: (body_statement (method name: (_) @name) @definition.method))
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.const
(call method: (identifier) @how arguments: (argument_list (simple_symbol) @name @definition.field) (#match? @how "^attr_(reader|writer|accessor)$"))
(alias name: (_) @name) @definition.method

(method_parameters (identifier) @local)
(optional_parameter name: (_) @local)
(keyword_parameter name: (_) @local)
(splat_parameter name: (_) @local)
(block_parameter name: (_) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)

(call !receiver method: (identifier) @how arguments: (argument_list . (string) @import.module) (#match? @how "^(require|require_relative|load)$")) @import
(call method: (identifier) @how arguments: (argument_list . (_) (string) @import.module) (#eq? @how "autoload")) @import

(call method: (identifier) @reference.call)
(call method: (constant) @reference.call)
((constant) @reference.use (#match? @reference.use "^[A-Z][A-Z0-9_]+$"))
((constant) @reference.type (#not-match? @reference.type "^[A-Z][A-Z0-9_]+$"))
(identifier) @reference.use
(instance_variable) @ignored

(comment) @comment
