(function_definition name: (_) @name) @definition.function
(program (declaration_command "readonly" (variable_assignment name: (_) @name)) @definition.const)
(program (declaration_command (variable_assignment name: (_) @name)) @definition.var)
(program (variable_assignment name: (variable_name) @name) @definition.var)
(command name: (command_name (word) @how) argument: (concatenation . (word) @name) (#eq? @how "alias")) @definition.macro

(variable_assignment name: (variable_name) @local)
(for_statement variable: (variable_name) @local)

(command name: (command_name (word) @how) . argument: (_) @import.module (#match? @how "^(source|\\.)$")) @import

(command name: (command_name (word) @reference.call))
(simple_expansion (variable_name) @reference.use)
(expansion (variable_name) @reference.use)
(subscript name: (variable_name) @reference.use)

(comment) @comment
