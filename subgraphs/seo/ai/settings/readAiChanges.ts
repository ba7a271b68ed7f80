import type { FieldProblem } from '../../../../schema/Problem.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import { assertFetchable } from '../../../platform/http/openUrl.ts';
import type { UpdateSeoAiSettingsInput } from '../../seo.generated.ts';
import type { AiChoices } from './model.ts';

/** Least and most of the members that are numbers. */
const bounds = {
  timeoutMs: [3000, 20_000],
  maxOutputTokens: [50, 4000],
  monthlyCostCapMicros: [0, 1e12],
  monthlyTokenCap: [0, 2e9],
  dailyRequestsPerUser: [0, 10_000],
  inputPriceMicros: [0, 1e9],
  outputPriceMicros: [0, 1e9],
} as const;

const numbers = Object.keys(bounds) as (keyof typeof bounds)[];
const switches = ['enabled', 'requireUserAcknowledgement'] as const;
const neverNull = [...numbers, ...switches, 'allowedObjectTypes', 'structuredOutput'] as const;
const keyPattern = /^[\x21-\x7e]{8,512}$/;

/**
 * What an input decides anew, without the key; members that are left out are not in it.
 *
 * @param privateHosts hosts that may be at private addresses and speak plain http
 * @throws AppError `validation_failed` with every invalid member; never shows the key
 */
export function readAiChanges(
  input: UpdateSeoAiSettingsInput,
  privateHosts: ReadonlySet<string>,
): Partial<AiChoices> {
  const problems = [
    ...neverNull.flatMap((member) => (input[member] === null ? [required(member)] : [])),
    ...numbers.flatMap((member) => numberProblems(member, input[member])),
    ...urlProblems(input.baseUrl, privateHosts),
    ...modelProblems(input.model),
    ...keyProblems(input.apiKey),
    ...typeProblems(input.allowedObjectTypes),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  const changes: Partial<AiChoices> = {};
  for (const member of numbers) Object.assign(changes, stated(member, input[member]));
  for (const member of switches) Object.assign(changes, stated(member, input[member]));
  const { baseUrl, model, allowedObjectTypes, structuredOutput } = input;
  if (baseUrl !== undefined) changes.baseUrl = baseUrl && baseUrl.replace(/\/+$/, '');
  if (model !== undefined) changes.model = model?.trim() ?? null;
  if (allowedObjectTypes) changes.allowedObjectTypes = [...allowedObjectTypes];
  if (structuredOutput) changes.structuredOutput = structuredOutput;
  return changes;
}

function stated(member: string, value: unknown): object {
  return value === undefined || value === null ? {} : { [member]: value };
}

function numberProblems(member: keyof typeof bounds, value: number | null | undefined): FieldProblem[] {
  const [least, most] = bounds[member];
  if (value === null || value === undefined || (value >= least && value <= most)) return [];
  return [invalid(member, `"${member}" is a number from ${least} to ${most}.`)];
}

function urlProblems(baseUrl: string | null | undefined, privateHosts: ReadonlySet<string>): FieldProblem[] {
  if (!baseUrl) return [];
  const url = new URL(baseUrl);
  if (url.search !== '' || url.hash !== '') {
    return [invalid('baseUrl', 'A base URL has no query and no fragment.')];
  }
  try {
    assertFetchable(url, privateHosts.has(url.host));
    return [];
  } catch {
    return [invalid('baseUrl', 'A provider is reached by https, at a public address, without credentials.')];
  }
}

function modelProblems(model: string | null | undefined): FieldProblem[] {
  const length = model?.trim().length ?? 1;
  return length > 0 && length <= 200 ? [] : [invalid('model', 'A model has 1 to 200 characters.')];
}

function keyProblems(key: string | null | undefined): FieldProblem[] {
  if (key === null || key === undefined || keyPattern.test(key)) return [];
  return [invalid('apiKey', 'A key has 8 to 512 visible ASCII characters.')];
}

function typeProblems(types: readonly string[] | null | undefined): FieldProblem[] {
  if (!types || (types.length > 0 && new Set(types).size === types.length)) return [];
  return [invalid('allowedObjectTypes', 'At least one kind of objects, each once.')];
}

function invalid(member: string, detail: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'invalid', detail };
}

function required(member: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'required', detail: `"${member}" cannot be cleared.` };
}
