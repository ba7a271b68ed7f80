import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { listenLocally } from './listenLocally.ts';

/** A span in the JSON of OTLP/HTTP. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** An OpenTelemetry collector that receives spans over OTLP/HTTP and stores them. */
export interface Collector {
  url: string;
  spans: readonly CollectedSpan[];
  /** `service.name` of all senders. */
  services: ReadonlySet<string>;
  /** Received bodies. */
  texts: readonly string[];
  /** Waits for a matching span. */
  waitFor(fits: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const services = new Set<string>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    texts.push(text);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      for (const { key, value } of resource.attributes)
        if (key === 'service.name') services.add(value.stringValue);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response
      .writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' })
      .end('{}');
  });
  const { url, close } = await listenLocally(server);
  return {
    url,
    spans,
    services,
    texts,
    async waitFor(fits) {
      for (let tries = 0; tries < 300; tries += 1) {
        const found = spans.find(fits);
        if (found) return found;
        await pause(50);
      }
      throw new Error(`No such span among ${spans.map(({ name }) => name).join(', ')}.`);
    },
    close,
  };
}
