import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { assertFetchable } from '../../../platform/http/openUrl.ts';
import type { UpdateSeoAiSettingsInput } from '../../seo.generated.ts';
import type { AiChoices } from './model.ts';

const numbers = [
  'timeoutMs',
  'maxOutputTokens',
  'monthlyCostCapMicros',
  'monthlyTokenCap',
  'dailyRequestsPerUser',
  'inputPriceMicros',
  'outputPriceMicros',
] as const;
const switches = ['enabled', 'requireUserAcknowledgement'] as const;
const neverNull = [...numbers, ...switches, 'allowedObjectTypes', 'structuredOutput'] as const;
const keyPattern = /^[\x21-\x7e]{8,512}$/;

/** Returns the errors of changes that the SDL does not check. They never contain the key. */
export function aiSettingsProblems(
  input: UpdateSeoAiSettingsInput,
  { platform }: RequestContext,
): FieldProblem[] {
  return [
    ...neverNull.flatMap((member) => (input[member] === null ? [required(member)] : [])),
    ...urlProblems(input.baseUrl, platform.privateAiHosts),
    ...modelProblems(input.model),
    ...keyProblems(input.apiKey),
    ...typeProblems(input.allowedObjectTypes),
  ];
}

/** Returns the changed settings of an input, without the key and without members that are left out. */
export function readAiChanges(input: UpdateSeoAiSettingsInput): Partial<AiChoices> {
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

function urlProblems(baseUrl: string | null | undefined, privateHosts: ReadonlySet<string>): FieldProblem[] {
  if (!baseUrl) return [];
  const url = new URL(baseUrl);
  if (url.search !== '' || url.hash !== '') {
    return [invalid('baseUrl', 'A base URL must have no query and no fragment.')];
  }
  try {
    assertFetchable(url, privateHosts.has(url.host));
    return [];
  } catch {
    return [
      invalid(
        'baseUrl',
        'A provider URL must use https, lead to a public address and contain no credentials.',
      ),
    ];
  }
}

function modelProblems(model: string | null | undefined): FieldProblem[] {
  const length = model?.trim().length ?? 1;
  return length > 0 && length <= 200 ? [] : [invalid('model', 'A model name must have 1 to 200 characters.')];
}

function keyProblems(key: string | null | undefined): FieldProblem[] {
  if (key === null || key === undefined || keyPattern.test(key)) return [];
  return [invalid('apiKey', 'A key must have 8 to 512 visible ASCII characters.')];
}

function typeProblems(types: readonly string[] | null | undefined): FieldProblem[] {
  if (!types || (types.length > 0 && new Set(types).size === types.length)) return [];
  return [invalid('allowedObjectTypes', 'Must contain at least one object type, each once.')];
}

function invalid(member: string, detail: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'invalid', detail };
}

function required(member: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'required', detail: `"${member}" cannot be cleared.` };
}
