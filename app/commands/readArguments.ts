import { parseArgs } from 'node:util';

/** One option of a program. */
interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** Meaning of the option, for the help. */
  readonly about: string;
}

/** A program of the project, as its help shows it. */
export interface Program<O extends Readonly<Record<string, Option>> = Readonly<Record<string, Option>>> {
  /** Command line of the program, as in `npm run plans`. */
  readonly command: string;
  /** Purpose of the program, for the help. */
  readonly about: string;
  /** Positional arguments in order: `<file>` is required, `[file]` is optional. */
  readonly positionals?: readonly string[];
  readonly options?: O;
}

/** Parsed arguments of a program. */
interface Arguments<O extends Readonly<Record<string, Option>>> {
  readonly values: {
    readonly [Name in keyof O]?: O[Name] extends { multiple: true }
      ? string[]
      : O[Name] extends { type: 'string' }
        ? string
        : boolean;
  };
  readonly positionals: readonly string[];
}

/**
 * Reads the arguments of this process. `--help` prints the help and exits with code 0. An unknown option or a missing
 * argument prints one line and exits with code 2.
 */
export function readArguments<const O extends Readonly<Record<string, Option>>>(
  program: Program<O>,
  args: readonly string[] = process.argv.slice(2),
): Arguments<O> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(helpOf(program));
    process.exit(0);
  }
  try {
    return parse(program, args);
  } catch (error) {
    return refuseCall(program, (error as Error).message);
  }
}

/** Prints the error in the arguments of a program and ends the process with exit code 2. */
export function refuseCall({ command }: Pick<Program, 'command'>, reason: string): never {
  console.error(`${command}: ${reason} --help lists what it takes.`);
  process.exit(2);
}

function parse<O extends Readonly<Record<string, Option>>>(
  { options, positionals: names = [] }: Program<O>,
  args: readonly string[],
): Arguments<O> {
  const given = parseKnown(options ?? {}, args);
  const missing = names.find((name, at) => name.startsWith('<') && given.positionals[at] === undefined);
  if (missing !== undefined) throw new Error(`${missing} is missing.`);
  const surplus = given.positionals[names.length];
  if (surplus !== undefined) throw new Error(`the argument "${surplus}" is not expected.`);
  return given as Arguments<O>;
}

function parseKnown(options: Readonly<Record<string, Option>>, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The sentences after the first one explain how to quote arguments.
    const [reason = ''] = (error as Error).message.split('. ');
    throw new Error(`${reason.replace(/\.$/, '')}.`, { cause: error });
  }
}

function helpOf({ command, about, positionals = [], options = {} }: Program): string {
  const rows = Object.entries(options).map(([name, { type, about: meaning }]): [string, string] => [
    `--${name}${type === 'string' ? ' <value>' : ''}`,
    meaning,
  ]);
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  const call = [command, ...(positionals.length + rows.length > 0 ? ['--'] : []), ...positionals];
  const lines = rows.map(([left, meaning]) => `  ${left.padEnd(width)}  ${meaning}`);
  return [
    `${call.join(' ')}${rows.length > 0 ? ' [options]' : ''}`,
    '',
    about,
    ...(lines.length > 0 ? ['', ...lines] : []),
  ].join('\n');
}
