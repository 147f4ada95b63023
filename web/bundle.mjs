// Makes the page: one script, one style sheet, one document. `node bundle.mjs DIRECTORY`.
import { build } from "esbuild";
import { cp, mkdir, rm } from "node:fs/promises";

const out = process.argv[2] ?? "dist";
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: { app: "src/main.tsx" },
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: out,
  logLevel: "warning",
});
await cp("src/index.html", `${out}/index.html`);
await cp("src/icon.svg", `${out}/icon.svg`);
