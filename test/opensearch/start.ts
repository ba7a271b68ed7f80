import path from 'node:path';
import { readArguments } from '../../app/commands/readArguments.ts';
import { startOpenSearch } from './startOpenSearch.ts';

const { values } = readArguments({
  command: 'npm run start:opensearch',
  about: `Starts an OpenSearch node for developers, from its Maven artifacts, on the loopback. It needs a Java development kit 17
or newer, and Maven at the first start. Its data stays in .data/opensearch.`,
  options: {
    port: { type: 'string', about: 'port; default: 9200' },
    heap: { type: 'string', about: 'heap in MiB; default: 512' },
  },
});

const { url, stop } = await startOpenSearch({
  folder: path.join(import.meta.dirname, '../../.data/opensearch'),
  port: Number(values.port ?? 9200),
  heapMiB: Number(values.heap ?? 512),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
console.log(`ready ${url}`);
