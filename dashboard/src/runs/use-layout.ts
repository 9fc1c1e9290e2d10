/** The layout of a graph from a worker. A state that changes keeps the layout: only nodes and edges matter. */
import { useEffect, useRef, useState } from "react";
import type { Layout, LayoutRequest } from "./layout-graph.ts";

type Answer = { readonly turn: number; readonly layout: Layout };

export function useLayout(request: LayoutRequest): Layout | undefined {
  const [layout, setLayout] = useState<Layout>();
  const worker = useRef<Worker>(undefined);
  const turn = useRef(0);
  const text = JSON.stringify(request);
  useEffect(() => {
    const started = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    worker.current = started;
    started.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      if (data.turn === turn.current) setLayout(data.layout);
    });
    return () => started.terminate();
  }, []);
  useEffect(() => {
    worker.current?.postMessage({ ...(JSON.parse(text) as LayoutRequest), turn: ++turn.current });
  }, [text]);
  return layout;
}
