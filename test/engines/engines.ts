import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHive } from '../support/servers/startHive.ts';
import { isInstalled, type Pin, pins, programOf } from './pins.ts';
import { freePort, type RunningEngine, startBinary } from './startBinary.ts';

/** Media types in which an engine sends the events of a subscription. */
export type EventFormat = 'text/event-stream' | 'multipart/mixed;subscriptionSpec="1.0"';

/** An engine that can be the router in front of the subgraphs. */
export interface Engine {
  readonly name: string;
  /** Reason why it cannot run on this machine. Undefined if it can. */
  readonly obstacle: string | undefined;
  /** Formats of events. Empty if it has no subscriptions with the configuration in `deploy/`. */
  readonly eventFormats: readonly EventFormat[];
  /** @param signerUrl address of the signer, without a trailing slash */
  start(signerUrl: string): Promise<RunningEngine>;
}

const root = path.join(import.meta.dirname, '../..');
const supergraph = path.join(root, 'schema/supergraph.graphql');

export const engines: readonly Engine[] = [
  {
    name: 'Hive Gateway',
    obstacle: undefined,
    eventFormats: ['text/event-stream'],
    async start(signerUrl) {
      const program = await startHive(`${signerUrl}/`);
      const { pid, url, stop, kill } = program;
      return { pid, url: `${url}/graphql`, printed: () => program.printed, stop, kill };
    },
  },
  binaryEngine('Hive Router', pinOf('hive-router'), {
    eventFormats: ['text/event-stream', 'multipart/mixed;subscriptionSpec="1.0"'],
    configuration: 'deploy/hive-router/router.yaml',
    call: (file, port) => ({
      args: [],
      environment: {
        ROUTER_CONFIG_FILE_PATH: file,
        SUPERGRAPH_FILE_PATH: supergraph,
        HOST: '127.0.0.1',
        PORT: String(port),
      },
    }),
  }),
  binaryEngine('Apollo Router', pinOf('apollo-router'), {
    eventFormats: [],
    configuration: 'deploy/apollo-router/router.yaml',
    call: (file) => ({
      args: ['--config', file, '--supergraph', supergraph],
      environment: { APOLLO_TELEMETRY_DISABLED: 'true', SIGNER_KEY: '' },
    }),
  }),
];

/** Declares tests of each engine. Those of an engine that cannot run here are skipped, and the reason is printed. */
export function describeEngines(declare: (engine: Engine) => void): void {
  for (const engine of engines) {
    const { name, obstacle } = engine;
    if (obstacle === undefined) describe(name, () => declare(engine));
    else describe.skip(`${name} (${obstacle})`, () => declare(engine));
  }
}

function pinOf(name: Pin['name']): Pin {
  const pin = pins.find((one) => one.name === name);
  if (!pin) throw new Error(`There is no pinned version of ${name}.`);
  return pin;
}

interface BinaryEngine extends Pick<Engine, 'eventFormats'> {
  /** File of `deploy/` whose copy it runs with. */
  readonly configuration: string;
  /** Arguments and environment of its program for a configuration file and a port. */
  call(file: string, port: number): { args: string[]; environment: Record<string, string> };
}

function binaryEngine(name: string, pin: Pin, { eventFormats, configuration, call }: BinaryEngine): Engine {
  return {
    name,
    eventFormats,
    obstacle: isInstalled(pin)
      ? undefined
      : `${pin.name} ${pin.version} is not installed: node test/engines/install.ts`,
    async start(signerUrl) {
      const folder = await mkdtemp(path.join(tmpdir(), 'trigate-engine-'));
      const file = path.join(folder, path.basename(configuration));
      const port = await freePort();
      await writeFile(file, await localConfiguration(path.join(root, configuration), signerUrl, port));
      const engine = await startBinary(programOf(pin), {
        ...call(file, port),
        url: `http://127.0.0.1:${port}/graphql`,
      });
      const drop = () => rm(folder, { recursive: true, force: true });
      return {
        ...engine,
        stop: () => engine.stop().finally(drop),
        kill: () => engine.kill().finally(drop),
      };
    },
  };
}

/** Returns a configuration of `deploy/` with addresses of this machine, and is otherwise unchanged. */
async function localConfiguration(file: string, signerUrl: string, port: number): Promise<string> {
  const [health, metrics] = [await freePort(), await freePort()];
  return (await readFile(file, 'utf8'))
    .replaceAll('http://signer:4104', signerUrl)
    .replaceAll('0.0.0.0:4000', `127.0.0.1:${port}`)
    .replaceAll('0.0.0.0:8088', `127.0.0.1:${health}`)
    .replaceAll('0.0.0.0:9090', `127.0.0.1:${metrics}`)
    .replaceAll('port: 9090', `port: ${metrics}`);
}
