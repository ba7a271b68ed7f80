import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Replaces apt in tests: implements apt-get, apt-cache and apt-config as far as fetching a bundle uses them, on an archive
 * in a directory. Like apt, it continues partial files and trusts the length of complete ones.
 */
export interface FakeArchive {
  packages: { name: string; file: string; sha256: string; dependsOn: string[] }[];
  /** The suites that this mirror has. */
  suites: string[];
  /** Suite of the machine's sources. */
  mirrors: string[];
  /** Number of packages after which a download hangs within the next one. */
  stallsAfter: number | null;
}

const archiveDir = process.env.FAKE_APT ?? '';
const archive = JSON.parse(readFileSync(join(archiveDir, 'archive.json'), 'utf8')) as FakeArchive;
const [program = '', ...args] = process.argv.slice(2);
appendFileSync(join(archiveDir, 'calls'), `${[basename(program), ...args].join(' ')}\n`);

const named = archive.packages.filter(({ name }) => args.includes(name));
if (args.includes('update')) update();
else if (args.includes('--print-uris')) printClosure();
else if (args.includes('depends')) printDependencies();
else if (args.includes('indextargets')) console.log(archive.mirrors.join('\n'));
else if (args.includes('download')) await download();

function update(): void {
  const source = readFileSync(join(process.env.APT_CONFIG ?? '', '../sources.list'), 'utf8');
  if (!archive.suites.some((suite) => source.includes(` ${suite} `))) process.exit(100);
}

function printClosure(): void {
  for (const { file, sha256 } of archive.packages) {
    const { size } = statSync(join(archiveDir, file));
    console.log(`'http://mirror.example/${file}' ${file} ${size} SHA256:${sha256}`);
  }
}

function printDependencies(): void {
  for (const { name, dependsOn } of archive.packages) {
    console.log([name, ...dependsOn.map((dependency) => `  Depends: ${dependency}`)].join('\n'));
  }
}

async function download(): Promise<void> {
  for (const [index, { file }] of named.entries()) {
    const whole = readFileSync(join(archiveDir, file));
    if (existsSync(file) && statSync(file).size === whole.length) continue;
    if (index === archive.stallsAfter) {
      writeFileSync(file, whole.subarray(0, whole.length >> 1));
      await delay(60_000);
    }
    const arrived = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    appendFileSync(
      join(archiveDir, 'calls'),
      `transfer ${file} from ${arrived.length > 0 ? 'the middle' : 'the start'}\n`,
    );
    writeFileSync(file, Buffer.concat([arrived, whole.subarray(arrived.length)]));
  }
}
