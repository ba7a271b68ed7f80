import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../runProgram.ts';

const debianKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Debian's name for this machine's processor, or undefined when there is no bundle for it. */
export const debianArchitecture = architectures[process.arch];

const listsLimitMs = 60_000;
const queryLimitMs = 30_000;
/** For all packages together. What has arrived by then is kept, and the next attempt goes on from there. */
const downloadLimitMs = 15 * 60_000;

/** What apt knows about a package. The hash comes from an index that Debian signed. */
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
 * Apt as an ordinary user, in a directory of its own: it resolves dependencies against an empty system, checks
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

  /** Everything that installing `name` on an empty system would bring. */
  async closureOf(name: string): Promise<AptPackage[]> {
    const output = await this.#run('apt-get', ['install', '-qq', '-y', '--print-uris', name], queryLimitMs);
    const files = output.matchAll(/^'[^']+' ([^\s_]+)_\S+ (\d+) SHA256:([0-9a-f]+)$/gm);
    return [...files].map(([, packageName = '', bytes, sha256 = '']) => ({
      name: packageName,
      bytes: Number(bytes),
      sha256,
    }));
  }

  /** For every package below `name`, the packages that it depends on, alternatives included. */
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

  /** Downloads into `packagesDirectory`. A file that is there in part is continued. */
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
    // A release file stays correct after its date; mirrors of a testing suite are late at times. The signature is checked.
    'Acquire::Check-Valid-Until': 'false',
    'Debug::NoLocking': 'true', // the lock on the whole directory is ours
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";`);
  return [...lines, `APT::Architectures {"${debianArchitecture}";};`];
}

/** How this machine reaches the network: proxies and the like are set up in apt's configuration. */
async function machineNetworkSettings(): Promise<string[]> {
  const dump = await runProgram('apt-config', ['dump'], { timeoutMs: queryLimitMs });
  return dump.split('\n').filter((line) => /^Acquire::https?::[^ ]+ "[^"]/.test(line));
}

/** The Debian mirror that this machine's apt uses; undefined on a derivative that has only its own archive. */
export async function findDebianMirror(): Promise<string | undefined> {
  const query = ['indextargets', '--no-release-info', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const output = await runProgram('apt-get', query, { timeoutMs: queryLimitMs });
  // The archive itself, neither the security archive beside it nor a third-party repository.
  return output.split('\n').find((mirror) => mirror.endsWith('/debian/'));
}

/** The proxy that apt would use, for finding out quickly whether there is a way out. */
export async function findAptProxy(): Promise<string | undefined> {
  const settings = await machineNetworkSettings();
  return settings
    .map((line) => /^Acquire::https?::Proxy "([^"]+)"/i.exec(line)?.[1])
    .find((proxy) => proxy !== undefined);
}

/** Whether this machine has what fetching takes. */
export function hasApt(findProgram: (name: string) => string | undefined): boolean {
  const programs = ['apt-get', 'apt-cache', 'apt-config', 'dpkg-deb', 'flock'];
  return (
    debianArchitecture !== undefined &&
    existsSync(debianKeyring) &&
    programs.every((program) => findProgram(program) !== undefined)
  );
}
