; Additions to javascript.scm.
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(enum_body name: (_) @name @definition.enum-member)
(enum_assignment name: (_) @name) @definition.enum-member
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(function_signature name: (_) @name) @definition.function
(abstract_method_signature name: (_) @name) @definition.method
(class_body (method_signature name: (_) @name) @definition.method)
(interface_body (method_signature name: (_) @name) @definition.method)
(interface_body (property_signature name: (_) @name) @definition.field)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @definition.field))
(type_alias_declaration value: (object_type (method_signature name: (_) @name) @definition.method))
(class_body (public_field_definition name: (_) @name) @definition.field)
(ambient_declaration [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.const)
                      (variable_declaration (variable_declarator name: (identifier) @name) @definition.var)])

(required_parameter pattern: (_) @local)
(optional_parameter pattern: (_) @local)
(type_parameter name: (_) @local)

(import_require_clause (identifier) @import.name source: (string) @import.module) @import
(type_identifier) @reference.type
(extends_clause value: (identifier) @reference.type)
