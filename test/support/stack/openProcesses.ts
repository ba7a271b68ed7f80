import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectTestDatabase } from './connectTestDatabase.ts';
import { type Program, startProgram } from './startProgram.ts';

/** Products in separate processes on one database and one folder, concurrently or sequentially. */
export interface Processes {
  /** `TRIGATE_SECRET` of all of them. */
  readonly secret: string;
  /** `DATA_DIR` of all of them. */
  readonly dataDir: string;
  /**
   * Starts a further product, without the demonstration.
   *
   * @param environment settings that differ from the other products
   * @param script path from the project's root; `npm start` unless stated
   */
  start(environment?: Readonly<Record<string, string>>, script?: string): Promise<Program>;
  /** Ends all products and deletes their data. */
  close(): Promise<void>;
}

/** Opens processes, which the caller closes. */
export async function openProcesses(): Promise<Processes> {
  const database = await connectTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-processes-'));
  const secret = randomBytes(32).toString('base64url');
  const programs: Program[] = [];
  return {
    secret,
    dataDir,
    async start(environment = {}, script = 'bin/main.ts') {
      const program = await startProgram('product', script, {
        MONGODB_URI: database.ownUri,
        MIGRATE_ON_START: 'on',
        DATA_DIR: dataDir,
        TRIGATE_SECRET: secret,
        DEMO: 'off',
        PORT: '0',
        ISSUER: 'http://issuer.test',
        ...environment,
      });
      programs.push(program);
      return program;
    },
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
