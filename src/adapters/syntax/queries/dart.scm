(class_definition name: (_) @name) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.class
(extension_declaration name: (_) @name) @scope
(enum_declaration name: (_) @name) @definition.enum
(enum_constant name: (_) @name) @definition.enum-member
(type_alias . (type_identifier) @name) @definition.type
(constructor_signature name: (_) @name) @definition.constructor
(factory_constructor_signature (identifier) @name) @definition.constructor
(method_signature [(function_signature name: (_) @name) (getter_signature name: (_) @name) (setter_signature name: (_) @name)]) @definition.method
(class_body (declaration [(function_signature name: (_) @name) (getter_signature name: (_) @name)]) @definition.method)
(class_body (declaration (static_final_declaration_list (static_final_declaration . (identifier) @name))) @definition.const)
(class_body (declaration (initialized_identifier_list (initialized_identifier . (identifier) @name))) @definition.field)
(program [(function_signature name: (_) @name) (getter_signature name: (_) @name)] @definition.function)
(program (static_final_declaration_list (static_final_declaration . (identifier) @name @definition.const)))
(program (initialized_identifier_list (initialized_identifier . (identifier) @name @definition.var)))

(formal_parameter name: (_) @local)
(initialized_variable_definition name: (_) @local)

(import_specification (configurable_uri (uri (string_literal) @import.module))) @import
(library_export (configurable_uri (uri (string_literal) @import.module))) @import
(combinator (identifier) @import.name)

((identifier) @reference.call . (selector (argument_part)))
(type_identifier) @reference.type
(identifier) @reference.use

(comment) @comment
(documentation_comment) @comment
