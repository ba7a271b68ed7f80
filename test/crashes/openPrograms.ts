import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { type HttpClient, openHttpClient } from '../support/stack/openHttpClient.ts';
import { type Program, startProgram } from '../support/stack/startProgram.ts';

/** A program, and a client of its port. */
type Served = Pick<Program, 'kill' | 'stop'> & { readonly port: number; readonly client: HttpClient };

/** Programs on the database of this file's stack. */
export interface Programs {
  readonly dataDir: string;
  start(
    script?: string,
    environment?: Readonly<Record<string, string>>,
    args?: readonly string[],
  ): Promise<Served>;
  /** Stops all started programs. */
  close(): Promise<void>;
}

/** Opens a folder for programs, which accept the tokens of the stack. The caller closes them before the stack. */
export async function openPrograms(shared: Readonly<Record<string, string>> = {}): Promise<Programs> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-fault-'));
  const uri = new URL(process.env.MONGODB_URI ?? '');
  uri.pathname = `/${mongoose.connection.name}`;
  const programs: Program[] = [];
  return {
    dataDir,
    async start(script = 'bin/main.ts', environment = {}, args = []) {
      const own = {
        MONGODB_URI: uri.href,
        MIGRATE_ON_START: 'on',
        DATA_DIR: dataDir,
        TRIGATE_SECRET: '\u0007'.repeat(32),
        DEMO: 'off',
        PORT: '0',
        ISSUER: 'http://issuer.test',
      };
      const program = await startProgram('product', script, { ...own, ...shared, ...environment }, args);
      programs.push(program);
      // A worker has no address.
      const port = URL.canParse(program.url) ? Number(new URL(program.url).port) : 0;
      const client = openHttpClient(port);
      const disconnect = () => client.close();
      return {
        port,
        client,
        kill: () => program.kill().finally(disconnect),
        stop: () => program.stop().finally(disconnect),
      };
    },
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
