import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { UsageError } from '../UsageError.ts';
import type { UsageRules } from '../usage/Usage.ts';

/** A project to check, as `schema-check.schema.json` describes it. */
export interface Configuration {
  readonly subgraphs?: readonly { readonly name: string; readonly file: string; readonly url: string }[];
  readonly supergraph?: string;
  readonly api?: string;
  readonly openApi?: string;
  readonly operations: readonly string[];
  readonly acceptedChanges: string;
  /** URL below which the pages of the rules are served. */
  readonly rulesUrl?: string;
  /** File or URL of recorded usage. */
  readonly usage?: string;
  readonly usageRules: UsageRules;
  readonly guards?: {
    readonly directives: readonly string[];
    readonly public?: string;
    readonly required: boolean;
  };
}

/** Name of the configuration file. */
export const configurationFile = 'schema-check.json';

const schemaFile = new URL('../../schema-check.schema.json', import.meta.url);

/**
 * Reads and validates a configuration file. Members that are left out have their defaults.
 *
 * @param name of the file, for errors
 * @throws UsageError with one line if the file cannot be read or is not valid
 */
export function readConfiguration(file: string, name: string): Configuration {
  const value = parseJson(file, name);
  const validate = new Ajv({ useDefaults: true }).compile<Configuration>(
    JSON.parse(readFileSync(schemaFile, 'utf8')),
  );
  if (!validate(value)) throw new UsageError(`${name}: ${describe(validate.errors ?? [])}.`);
  return value;
}

function parseJson(file: string, name: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} cannot be read. Create it, or name another file with --config.`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON.`, { cause: error });
  }
}

function describe(errors: readonly ErrorObject[]): string {
  const [first] = errors;
  if (first?.keyword === 'required' && first.instancePath === '')
    return 'name at least one of "subgraphs", "supergraph", "api" and "openApi"';
  const member = first?.params.additionalProperty;
  const detail = typeof member === 'string' ? ` ("${member}")` : '';
  return `${first?.instancePath || '/'} ${first?.message}${detail}`;
}
