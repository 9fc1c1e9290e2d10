export { ModelFailure } from "./model-port.ts";
export type {
  Conversation,
  ConversationEnd,
  Model,
  ModelFailureKind,
  ModelRetry,
  ModelStep,
  ModelTool,
  TokenUsage,
  ToolUse,
} from "./model-port.ts";
export { ProviderConfig } from "./provider-config.ts";
export { providersIn } from "./providers-file.ts";
export type { Providers, ProviderWithKey } from "./providers-file.ts";
export { providerHandlers } from "./handlers.ts";
