"use strict";
/**
 * Which folder may import which (ARCHITECTURE.md draws it):
 *
 *   contract <- platform <- { coordination, knowledge, oversight } <- orchestration <- agents
 *   data keeps and removes the records of all of them; only src/app imports it
 *   adapters implement ports of all of these; surfaces know `dispatch`; only src/app knows every folder, and only connects.
 */
const TESTS = ["\\.test\\.ts$", "/testkit\\.ts$", "/testkit/"];
/**
 * A folder is entered through its index. A machine of platform that is one file needs no folder of its own, and
 * contract/errors.ts, situation.ts and calling.ts are further doors of the contract: they load no schemas, or only those
 * that are used, so that commands start fast. A client's usage.ts is a door beside its hooks, which load a shell parser.
 */
const DOORS = [
  "^src/[^/]+/index\\.ts$",
  "^src/[^/]+/[^/]+/index\\.ts$",
  "^src/agents/shared/[^/]+/index\\.ts$",
  "^src/platform/[^/]+\\.ts$",
  "^src/contract/(calling|errors|situation)\\.ts$",
  "^src/adapters/[^/]+/usage\\.ts$",
];
/** Folders that a rule below binds; src/app is the only one that may import them all. */
const FOLDERS = [
  "adapters",
  "agents",
  "app",
  "contract",
  "coordination",
  "data",
  "knowledge",
  "orchestration",
  "oversight",
  "platform",
  "surfaces",
];

module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      comment: "Modules that need each other are one module, or hide a third. Type imports count.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-unresolved",
      comment: "An import that resolves to nothing is checked by no other rule.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "contract-imports-zod-only",
      comment: "The contract is the language everyone speaks; it may not know who speaks it.",
      severity: "error",
      from: { path: "^src/contract/", pathNot: TESTS },
      to: { pathNot: ["^src/contract/", "node_modules/zod/"] },
    },
    mayImport("platform", ["contract"]),
    mayImport("coordination", ["contract", "platform"]),
    mayImport("knowledge", ["contract", "platform"]),
    mayImport("oversight", ["contract", "platform"]),
    mayImport("orchestration", ["contract", "platform", "coordination", "knowledge", "oversight"]),
    mayImport("agents", ["contract", "platform", "coordination", "knowledge", "oversight", "orchestration"]),
    mayImport("adapters", [
      "contract",
      "platform",
      "coordination",
      "knowledge",
      "oversight",
      "orchestration",
      "agents",
    ]),
    mayImport("data", ["contract", "platform", "coordination", "knowledge", "oversight", "orchestration"]),
    mayImport("surfaces", ["contract", "platform"]),
    {
      name: "surfaces-know-no-store",
      comment: "A surface calls dispatch(operation, input, caller); it never reads or writes state itself.",
      severity: "error",
      from: { path: "^src/surfaces/", pathNot: TESTS },
      to: { path: ["^src/platform/(store|event-log)/", "node_modules/better-sqlite3/"] },
    },
    {
      name: "sqlite-only-in-the-store",
      comment: "One folder opens the database; everybody else goes through its port.",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/platform/store/", ...TESTS] },
      to: { path: "node_modules/(@types/)?better-sqlite3/" },
    },
    {
      name: "main-only-starts",
      comment: "main.ts parses argv and calls a surface, or a program of src/app.",
      severity: "error",
      from: { path: "^src/main\\.ts$" },
      to: { path: "^src/", pathNot: ["^src/(app|surfaces|contract|platform)/"] },
    },
    {
      name: "only-app-wires",
      comment: "Features are connected in src/app; beside the two programs no file stands at the root of src.",
      severity: "error",
      from: { path: "^src/[^/]+\\.ts$", pathNot: ["^src/(main|statusline)\\.ts$", ...TESTS] },
      to: { path: "^src/" },
    },
    {
      name: "only-known-folders",
      comment: "A folder without a direction rule of its own may import no other folder of src; give it a rule above.",
      severity: "error",
      from: { path: "^src/([^/]+)/", pathNot: [`^src/(${FOLDERS.join("|")})/`, ...TESTS] },
      to: { path: "^src/", pathNot: "^src/$1/" },
    },
    {
      name: "statusline-only-starts",
      comment:
        "statusline.ts is a program as small as it can be: its surface, the folder it was started in, and nothing else.",
      severity: "error",
      from: { path: "^src/statusline\\.ts$" },
      to: { path: "^src/", pathNot: ["^src/surfaces/statusline/index\\.ts$", "^src/platform/current-folder\\.ts$"] },
    },
    {
      name: "only-main-imports-app",
      comment: "src/app knows every folder; importing it from one of them closes a circle of knowledge.",
      severity: "error",
      from: { path: "^src/", pathNot: ["^src/main\\.ts$", "^src/app/", ...TESTS] },
      to: { path: "^src/(app/|main\\.ts$)" },
    },
    {
      name: "enter-folders-by-index",
      comment: "Across top folders only through an index.ts: what it does not export is free to change.",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: { path: "^src/[^/]+/", pathNot: ["^src/$1/", ...DOORS, ...TESTS] },
    },
    {
      name: "enter-folders-by-index-from-the-top",
      comment: "main.ts enters folders by their index.ts too; a program of src/app is a file.",
      severity: "error",
      from: { path: "^src/[^/]+\\.ts$", pathNot: TESTS },
      to: { path: "^src/[^/]+/", pathNot: ["^src/app/", ...DOORS] },
    },
    {
      name: "enter-nouns-by-index",
      comment: "Inside a top folder one noun enters another through its index.ts.",
      severity: "error",
      from: { path: "^src/([^/]+)/([^/]+)/", pathNot: "^src/app/" },
      to: { path: "^src/$1/[^/]+/", pathNot: ["^src/$1/$2/", ...DOORS, ...TESTS] },
    },
    {
      name: "dashboard-knows-contract-and-client",
      comment: "The dashboard talks to a daemon: it knows what can be asked, and how to ask it.",
      severity: "error",
      from: { path: "^dashboard/src/", pathNot: [...TESTS, "\\.test\\.tsx$"] },
      to: {
        path: "^(src|test|bench|scripts)/",
        pathNot: [
          "^src/contract/(index|errors|dashboard-pages)\\.ts$",
          "^src/surfaces/client/page-client\\.ts$",
          "^src/surfaces/transport/fetch-transport\\.ts$",
        ],
      },
    },
    {
      name: "dashboard-reaches-the-daemon-by-one-door",
      comment: "Only its folder daemon, and the list of addresses, import from src.",
      severity: "error",
      from: { path: "^dashboard/src/", pathNot: ["^dashboard/src/daemon/", "\\.test\\.tsx?$"] },
      to: { path: "^src/", pathNot: "^src/contract/dashboard-pages\\.ts$" },
    },
    {
      name: "product-does-not-know-the-dashboard",
      comment: "The daemon serves its files and knows nothing else of it.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^dashboard/" },
    },
    {
      name: "product-imports-no-tests",
      comment: "What ships must not depend on what checks it.",
      severity: "error",
      from: { path: "^src/", pathNot: TESTS },
      to: { path: [...TESTS, "^(test|bench|scripts)/", "node_modules/(vitest|fast-check)/"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|\\.cache)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "types", "default"] },
  },
};

function mayImport(folder, others) {
  return {
    name: `${folder}-direction`,
    comment: `src/${folder} may import ${others.join(", ")} and itself; other folders meet it in events or in a port.`,
    severity: "error",
    from: { path: `^src/${folder}/`, pathNot: TESTS },
    to: { path: "^src/", pathNot: `^src/(${[folder, ...others].join("|")})/` },
  };
}
