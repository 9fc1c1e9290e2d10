/** Builds the dashboard; scripts/build/bundle-dashboard.ts runs it and collects what it made. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false }, // its script would be inline; the policy forbids that
    assetsInlineLimit: 0,
    rolldownOptions: { input: ["index.html", "signin-refused.html"].map((file) => join(import.meta.dirname, file)) },
  },
  worker: { format: "es" },
});
