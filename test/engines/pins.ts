import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** An engine that `install.ts` builds from its crate. */
export interface Pin {
  readonly name: 'hive-router' | 'apollo-router';
  /** Version of the crate, and of the container image in `deploy/compose.yaml`. */
  readonly version: string;
  readonly features: readonly string[];
  /** Name of the program that the crate contains. */
  readonly program: string;
  /** Packages that the build needs besides Rust. */
  readonly needs: string;
}

export const pins: readonly Pin[] = [
  { name: 'hive-router', version: '0.2.19', features: ['graphiql'], program: 'hive_router', needs: '' },
  {
    name: 'apollo-router',
    version: '2.17.0',
    features: [],
    program: 'router',
    needs: 'protobuf-compiler, libprotobuf-dev',
  },
];

/** Version of Rust with which the pinned versions were built. */
export const rustVersion = '1.95';

/** Folder of the engines: `ENGINES_DIR`, by default a folder of the user's cache. */
export function enginesFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { ENGINES_DIR, XDG_CACHE_HOME } = environment;
  return ENGINES_DIR ?? path.join(XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'trigate/engines');
}

/** Folder into which one version of an engine is installed. */
export function installationOf({ name, version }: Pin): string {
  return path.join(enginesFolder(), `${name}-${version}`);
}

/** Path of the installed program of an engine. */
export function programOf(pin: Pin): string {
  return path.join(installationOf(pin), 'bin', pin.program);
}

export function isInstalled(pin: Pin): boolean {
  return existsSync(programOf(pin));
}
