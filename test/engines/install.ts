import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readArguments, refuseCall } from '../../app/commands/readArguments.ts';
import {
  enginesFolder,
  installationOf,
  isInstalled,
  type Pin,
  pins,
  programOf,
  rustVersion,
} from './pins.ts';

const program = {
  command: 'node test/engines/install.ts',
  about: `Builds the pinned versions of other engines with cargo (Rust ${rustVersion}) for test/engines, one after the other, at
low priority. ENGINES_DIR is the folder; ~/.cache/trigate/engines unless stated. A build takes about ten minutes on two cores.`,
  positionals: ['[name]'],
};

/** The tests verify behaviour and not speed, so the builds are optimized little. */
const quickBuild = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
  CARGO_PROFILE_RELEASE_DEBUG: '0',
};

/** @returns the exit code of cargo, 127 if it cannot be started */
function build(pin: Pin): number {
  const { name, version, features } = pin;
  const withFeatures = features.length > 0 ? ['--features', features.join(',')] : [];
  const args = [
    'install',
    name,
    '--version',
    version,
    '--locked',
    ...withFeatures,
    '--root',
    installationOf(pin),
  ];
  const { status } = spawnSync('nice', ['-n', '19', 'cargo', ...args], {
    stdio: 'inherit',
    env: { CARGO_TARGET_DIR: path.join(enginesFolder(), 'target'), ...quickBuild, ...process.env },
  });
  return status ?? 127;
}

const {
  positionals: [wanted],
} = readArguments(program);
const chosen = pins.filter(({ name }) => wanted === undefined || name === wanted);
if (chosen.length === 0) refuseCall(program, `There is no engine "${wanted}".`);
for (const pin of chosen) {
  const code = isInstalled(pin) ? 0 : build(pin);
  if (code === 0) console.log(`${pin.name} ${pin.version}: ${programOf(pin)}`);
  else {
    console.error(
      `${pin.name} ${pin.version} could not be built. It needs Rust ${rustVersion}${pin.needs && `, ${pin.needs}`}.`,
    );
    process.exitCode = 1;
  }
}
