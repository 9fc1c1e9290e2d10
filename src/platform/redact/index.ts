/** Door of the redactor: the one place that knows what a secret looks like. */
export { isSecretName, REDACTED, redactText } from "./redact-text.ts";
export { createRedactor, type Redactor } from "./redactor.ts";
