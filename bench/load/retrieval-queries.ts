/**
 * Questions with the files that answer them, written by reading the sources: a name as it stands in the code, the words of
 * a name, and a question in the words of a person who does not know the code. Any of the files named is a right answer.
 *
 * The trees are frozen, so that labels stay true: this repository at one commit, and two packages at one version.
 */
export type QueryGroup = "identifier" | "words of an identifier" | "natural language";
export type LabelledTree = {
  readonly name: string;
  /** A commit of this repository, or a package with the version and the parts of it that are searched. */
  readonly source:
    | { readonly commit: string }
    | { readonly npm: string; readonly version: string; readonly parts: readonly string[] };
  readonly queries: Readonly<Record<QueryGroup, Readonly<Record<string, readonly string[]>>>>;
};

export const labelledTrees: readonly LabelledTree[] = [
  {
    name: "this repository",
    source: { commit: "5df12eacde6ed22c67db18aee15ee9e40f087db0" },
    queries: {
      identifier: {
        openDerivedFile: ["src/platform/store/derived-file.ts"],
        takeProcessLock: ["src/platform/store/process-lock.ts"],
        findCycles: ["src/platform/dependencies/find-cycles.ts"],
        redactText: ["src/platform/redact/redact-text.ts"],
        acquireReservation: ["src/coordination/reservations/acquire-reservation.ts"],
        createRateWindow: ["src/coordination/mail/rate-window.ts"],
        decideStalls: ["src/coordination/sweeper/decide-stalls.ts"],
        isTakeable: ["src/coordination/work-items/stuck-work-item.ts"],
        landWithIndex: ["src/adapters/git/commit/index-lock.ts"],
        GitFailed: ["src/adapters/git/run-git.ts"],
        afterCrash: ["src/adapters/language-servers/decide-restart.ts"],
        askPrecise: ["src/knowledge/code-index/precise-provider.ts"],
        unseal: ["src/orchestration/sessions/snapshot.ts"],
        literalParts: ["src/knowledge/code-index/literal-parts.ts"],
      },
      "words of an identifier": {
        "remove derived file": ["src/platform/store/derived-file.ts"],
        "shared path": ["src/coordination/globs/shared-path.ts"],
        "build automaton": ["src/coordination/globs/automaton.ts"],
        "is secret file": ["src/coordination/file-history/is-secret-file.ts"],
        "create content packs": ["src/coordination/file-history/content-packs.ts"],
        "ready work items": ["src/coordination/work-items/ready-work-items.ts", "src/contract/work-item.ts"],
        "layer gate": ["src/orchestration/dag/layer-gate.ts"],
        "accept proposal": ["src/orchestration/planning/accept-proposal.ts"],
        "start time of": ["src/adapters/processes/process-identity.ts"],
        "folders below": ["src/adapters/tree-watcher/folders-below.ts"],
        "load language model": ["src/adapters/models/load-language-model.ts"],
        "resolve settings": ["src/platform/config/resolve-settings.ts"],
        "remind holder": ["src/coordination/findings/remind-holder.ts"],
        "running commands": ["src/adapters/confinement/running-commands.ts"],
      },
      "natural language": {
        "which file does an import refer to": ["src/knowledge/code-index/resolve-import.ts"],
        "rank files by importance with pagerank": ["src/knowledge/code-index/map-repository.ts"],
        "priority queue that returns the smallest item": ["src/orchestration/dag/binary-heap.ts"],
        "repeat a request with the same key and get the first answer": ["src/platform/operations/idempotency.ts"],
        "how long to wait before a crashed language server is started again": [
          "src/adapters/language-servers/decide-restart.ts",
          "src/adapters/language-servers/server-pool.ts",
        ],
        "hide api keys and passwords in log output": [
          "src/platform/redact/redact-text.ts",
          "src/platform/log/loggable.ts",
        ],
        "clock that does not count while the machine is asleep": ["src/platform/clock/awake-clock.ts"],
        "did a person or a coding agent start this process": ["src/adapters/commit-gate/process-origin.ts"],
        "checksum of a saved session": ["src/orchestration/sessions/snapshot.ts"],
        "limit how many messages an agent sends per minute": [
          "src/coordination/mail/rate-window.ts",
          "src/coordination/mail/send-mail.ts",
        ],
        "user agrees to the settings of a repository": ["src/platform/config/consents.ts"],
        "tell a process from a later one with the same pid": ["src/adapters/processes/process-identity.ts"],
        "choose the agent for a question by its words without a model": [
          "src/orchestration/guide/routing/classify-text.ts",
        ],
        "command was blocked by a read-only file, explain who holds it": ["src/coordination/guard/explain-blocked.ts"],
      },
    },
  },
  {
    name: "zod",
    source: { npm: "zod", version: "4.6.7", parts: ["src"] },
    queries: {
      identifier: {
        prettifyError: ["src/v4/core/errors.ts"],
        treeifyError: ["src/v4/core/errors.ts"],
        isRecursiveSchema: ["src/v4/core/memoizer.ts"],
        fromJSONSchema: ["src/v4/classic/from-json-schema.ts"],
        handleUnrepresentable: ["src/v4/core/to-json-schema.ts"],
        base64ToUint8Array: ["src/v4/core/util.ts"],
        JSONSchemaGenerator: ["src/v4/core/json-schema-generator.ts"],
        compileFn: ["src/v4/core/compile.ts"],
      },
      "words of an identifier": {
        "flatten error": ["src/v4/core/errors.ts", "src/v3/ZodError.ts"],
        "extract defs": ["src/v4/core/to-json-schema.ts"],
        "escape regex": ["src/v4/core/util.ts"],
        "safe decode async": ["src/v4/core/parse.ts", "src/v4/classic/parse.ts", "src/v4/mini/parse.ts"],
        "number format ranges": ["src/v4/core/util.ts"],
        "check string format": ["src/v4/core/checks.ts"],
        "deep partial": ["src/v4/classic/deep-partial.ts", "src/v4/mini/deep-partial.ts", "src/v3/types.ts"],
      },
      "natural language": {
        "turn a schema into json schema": ["src/v4/core/to-json-schema.ts", "src/v4/core/json-schema-processors.ts"],
        "regular expression for an email address": ["src/v4/core/regexes.ts"],
        "error thrown when a promise is met in synchronous parsing": ["src/v4/core/core.ts"],
        "attach metadata to a schema": ["src/v4/core/registries.ts"],
        "convert input to a number before validation": [
          "src/v4/classic/coerce.ts",
          "src/v4/mini/coerce.ts",
          "src/v4/core/api.ts",
        ],
        "walk over all nested schemas": ["src/v4/core/visit.ts"],
        "german error messages": ["src/v4/locales/de.ts"],
      },
    },
  },
  {
    name: "fastify",
    source: { npm: "fastify", version: "5.12.8", parts: ["lib", "types", "test", "fastify.js", "fastify.d.ts"] },
    queries: {
      identifier: {
        getDefaultJsonParser: ["lib/content-type-parser.js"],
        reqIdGenFactory: ["lib/req-id-gen-factory.js"],
        wrapThenable: ["lib/wrap-thenable.js"],
        buildRoutePrefix: ["lib/plugin-override.js"],
        setErrorStatusCode: ["lib/error-status.js"],
        findExternalHeaderRef: ["lib/validation.js"],
        safeWriteHead: ["lib/reply.js"],
        onListenHookRunner: ["lib/hooks.js"],
      },
      "words of an identifier": {
        "check dependencies": ["lib/plugin-utils.js", "lib/decorate.js"],
        "deep freeze object": ["lib/initial-config-validation.js"],
        "default child logger factory": ["lib/logger-factory.js"],
        "build error handler": ["lib/error-handler.js"],
        "log server address": ["lib/server.js"],
        "normalize schema": ["lib/schemas.js"],
        "validate body limit option": ["lib/route.js"],
      },
      "natural language": {
        "what happens when no route matches": ["lib/four-oh-four.js"],
        "decorate request with a property": ["lib/decorate.js", "lib/request.js"],
        "send a web stream as response": ["lib/reply.js"],
        "answer head requests of a get route": ["lib/head-route.js"],
        "create the http server or http2 server from options": ["lib/server.js"],
        "serialize an error to json": ["lib/error-serializer.js", "lib/error-handler.js"],
        "refuse a body that is too large": ["lib/content-type-parser.js", "lib/errors.js"],
      },
    },
  },
];
