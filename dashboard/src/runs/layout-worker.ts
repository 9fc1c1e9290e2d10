/** Lays a graph out beside the page, which stays responsive meanwhile. */
import { layoutGraph, type LayoutRequest } from "./layout-graph.ts";

addEventListener("message", ({ data }: MessageEvent<LayoutRequest & { readonly turn: number }>) => {
  postMessage({ turn: data.turn, layout: layoutGraph(data) });
});
