import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../runProgram.ts';

const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Debian's name for this machine's processor, or undefined if there is no bundle for it. */
export const debianArchitecture = architectures[process.arch];

const listsLimitMs = 60_000;
const queryLimitMs = 30_000;
/**
 * Timeout for all packages together, in milliseconds. Received data is kept, and the next attempt continues the
 * download.
 */
const downloadLimitMs = 15 * 60_000;

/** Package data of apt. The hash comes from an index that Debian signed. */
export interface AptPackage {
  name: string;
  bytes: number;
  sha256: string;
}

export interface AptOptions {
  /** Apt's private world: lists, state and downloaded packages. The machine's own apt is not touched. */
  directory: string;
  mirror: string;
  suite: string;
  /** A file descriptor to keep open while apt runs; it holds the lock on `directory`. */
  lock: number;
}

/**
 * Runs apt as an ordinary user in a separate directory. It resolves dependencies against an empty system, verifies
 * signatures, and downloads; nothing is installed.
 */
export class Apt {
  readonly packagesDirectory: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #lock: number;

  private constructor(packagesDirectory: string, environment: NodeJS.ProcessEnv, lock: number) {
    this.packagesDirectory = packagesDirectory;
    this.#environment = environment;
    this.#lock = lock;
  }

  static async prepare({ directory, mirror, suite, lock }: AptOptions): Promise<Apt> {
    const world = join(directory, suite);
    const packagesDirectory = join(directory, 'packages');
    for (const path of ['lists/partial', 'archives/partial'])
      mkdirSync(join(world, path), { recursive: true });
    mkdirSync(packagesDirectory, { recursive: true });
    writeFileSync(join(world, 'status'), ''); // an empty system: every dependency is part of the answer
    writeFileSync(join(world, 'sources.list'), `deb [signed-by=${debianKeyring}] ${mirror} ${suite} main\n`);
    const config = join(world, 'apt.conf');
    writeFileSync(config, [...(await machineNetworkSettings()), ...privateSettings(world), ''].join('\n'));
    return new Apt(packagesDirectory, { ...process.env, APT_CONFIG: config, LC_ALL: 'C' }, lock);
  }

  /** Fetches the suite's index, about ten megabytes. */
  async update(): Promise<void> {
    await this.#run('apt-get', ['-qq', 'update'], listsLimitMs);
  }

  /** Returns all packages that an installation of `name` on an empty system would include. */
  async closureOf(name: string): Promise<AptPackage[]> {
    const output = await this.#run('apt-get', ['install', '-qq', '-y', '--print-uris', name], queryLimitMs);
    const files = output.matchAll(/^'[^']+' ([^\s_]+)_\S+ (\d+) SHA256:([0-9a-f]+)$/gm);
    return [...files].map(([, packageName = '', bytes, sha256 = '']) => ({
      name: packageName,
      bytes: Number(bytes),
      sha256,
    }));
  }

  /** Returns the dependencies of every package below `name`, including alternatives. */
  async dependenciesBelow(name: string): Promise<Map<string, string[]>> {
    const kinds = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
      (kind) => `--no-${kind}`,
    );
    const output = await this.#run('apt-cache', ['depends', '--recurse', ...kinds, name], queryLimitMs);
    const dependencies = new Map<string, string[]>();
    let current: string[] = [];
    for (const line of output.split('\n')) {
      const dependency = /^ [ |](?:Pre)?Depends: (\S+)/.exec(line)?.[1];
      if (dependency) current.push(dependency);
      else if (line && !line.startsWith(' ')) dependencies.set(line, (current = []));
    }
    return dependencies;
  }

  /** Downloads into `packagesDirectory`. A partial file is continued. */
  async download(names: readonly string[]): Promise<void> {
    await this.#run('apt-get', ['-qq', 'download', ...names], downloadLimitMs, this.packagesDirectory);
  }

  #run(program: string, args: string[], timeoutMs: number, cwd?: string): Promise<string> {
    return runProgram(program, args, {
      env: this.#environment,
      timeoutMs,
      inherit: [this.#lock],
      ...(cwd === undefined ? {} : { cwd }),
    });
  }
}

function privateSettings(world: string): string[] {
  const settings: Record<string, string> = {
    'Dir::Etc': world,
    'Dir::Etc::sourcelist': join(world, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::main': '/dev/null',
    'Dir::Etc::parts': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'Dir::Etc::netrc': '/etc/apt/auth.conf',
    'Dir::Etc::netrcparts': '/etc/apt/auth.conf.d',
    'Dir::State': world,
    'Dir::State::lists': join(world, 'lists'),
    'Dir::State::status': join(world, 'status'),
    'Dir::Cache': world,
    'APT::Architecture': debianArchitecture ?? '',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': '', // apt as root would hand over to a user who may not enter our directory
    'Acquire::ForceHash': 'sha256', // the one that is printed with the names of files
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
    // A release file stays correct after its expiry date, and mirrors of a testing suite may be late. The signature is
    // verified.
    'Acquire::Check-Valid-Until': 'false',
    'Debug::NoLocking': 'true', // the lock on the whole directory is ours
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";`);
  return [...lines, `APT::Architectures {"${debianArchitecture}";};`];
}

/** Returns the network settings of this machine: apt's configuration contains proxies and similar settings. */
async function machineNetworkSettings(): Promise<string[]> {
  const dump = await runProgram('apt-config', ['dump'], { timeoutMs: queryLimitMs });
  return dump.split('\n').filter((line) => /^Acquire::https?::[^ ]+ "[^"]/.test(line));
}

/** Returns the Debian mirror that this machine's apt uses; undefined on a derivative that has only its own archive. */
export async function findDebianMirror(): Promise<string | undefined> {
  const query = ['indextargets', '--no-release-info', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const output = await runProgram('apt-get', query, { timeoutMs: queryLimitMs });
  // The main archive, neither the security archive nor a third-party repository.
  return output.split('\n').find((mirror) => mirror.endsWith('/debian/'));
}

/** Returns the proxy of apt, to check quickly for network access. */
export async function findAptProxy(): Promise<string | undefined> {
  const settings = await machineNetworkSettings();
  return settings
    .map((line) => /^Acquire::https?::Proxy "([^"]+)"/i.exec(line)?.[1])
    .find((proxy) => proxy !== undefined);
}

/** Returns whether this machine has the programs for a download. */
export function hasApt(findProgram: (name: string) => string | undefined): boolean {
  const programs = ['apt-get', 'apt-cache', 'apt-config', 'dpkg-deb', 'flock'];
  return (
    debianArchitecture !== undefined &&
    existsSync(debianKeyring) &&
    programs.every((program) => findProgram(program) !== undefined)
  );
}
