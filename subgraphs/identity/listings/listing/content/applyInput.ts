import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { invalidFields, problem } from '../../../../platform/errors/AppError.ts';
import type { CreateListingInput, UpdateListingInput } from '../../../identity.generated.ts';
import type { Attributes } from '../../category/checkAttributes.ts';
import type { ListingContent, StoredListingLocation } from '../record/model.ts';

/** Members of a listing that its owner writes; null and left out are different. */
export type ListingInput = Omit<
  CreateListingInput & UpdateListingInput,
  'dealerId' | 'listingId' | 'expectedVersion' | 'idempotencyKey'
>;

/** Returns the content of an empty listing. */
export function emptyContent(languageTag: string): ListingContent {
  return {
    categoryId: null,
    title: null,
    description: null,
    languageTag,
    condition: null,
    attributes: {},
    media: [],
    dealerLocationId: null,
    stockNumber: null,
    price: null,
    priceType: 'fixed',
    tax: { mode: 'none', rateBps: null },
    location: null,
    contact: { showPhone: false, assigneeUserId: null },
  };
}

/**
 * Returns the content with the members of an input merged (RFC 7396): omitted members stay, null clears, and objects
 * are merged. Values are not validated here; `checkContent` validates the result.
 *
 * @throws AppError `validation_failed` for null in a member that cannot be empty
 */
export function applyInput(before: ListingContent, input: ListingInput): ListingContent {
  assertNotNull(input);
  const after: ListingContent = { ...before };
  for (const member of ['dealerLocationId', 'categoryId', 'stockNumber', 'title'] as const) {
    if (member in input) after[member] = input[member]?.trim() || null;
  }
  if ('description' in input) after.description = input.description?.trim() || null;
  if (input.language) after.languageTag = input.language;
  if ('condition' in input) after.condition = input.condition ?? null;
  if ('price' in input) after.price = input.price ? { ...input.price } : null;
  if (input.priceType) {
    after.priceType = input.priceType;
    // The former price would contradict it, and the client need not clear a member that it did not send.
    if (after.priceType === 'on_request' && !('price' in input)) after.price = null;
  }
  applyObjects(after, input);
  return after;
}

/** Returns the content of a new listing: that of an empty one with the members of an input. Null is the same as omitted. */
export function newContent(languageTag: string, input: ListingInput): ListingContent {
  return applyInput(emptyContent(languageTag), omitAllNulls(input));
}

/**
 * Returns the content with a row of a stock merged. Stock systems send every column, so null in a member that every listing has
 * is the same as omitted.
 */
export function applyRow(before: ListingContent, input: ListingInput): ListingContent {
  const { tax, contact, location } = input;
  return applyInput(before, {
    ...omitNullsIn(input, ['language', 'priceType', 'tax', 'contact']),
    ...(tax && { tax: omitNullsIn(tax, ['mode']) }),
    ...(contact && { contact: omitNullsIn(contact, ['showPhone']) }),
    ...(location && { location: omitNullsIn(location, ['precision']) }),
  });
}

function omitNullsIn<Value extends object>(value: Value, names: readonly (keyof Value)[]): Value {
  const omitted = new Set<PropertyKey>(names.filter((name) => value[name] === null));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !omitted.has(name))) as Value;
}

/** Generated clients of several languages send null for each member that the program does not set. */
function omitAllNulls<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(entries.map(([name, member]) => [name, omitAllNulls(member)])) as Value;
}

function applyObjects(after: ListingContent, input: ListingInput): void {
  const { tax, contact } = input;
  if (tax) {
    after.tax = {
      mode: tax.mode ?? after.tax.mode,
      rateBps: tax.rateBps === undefined ? after.tax.rateBps : tax.rateBps,
    };
  }
  if (contact) {
    after.contact = {
      showPhone: contact.showPhone ?? after.contact.showPhone,
      assigneeUserId:
        contact.assigneeUserId === undefined ? after.contact.assigneeUserId : contact.assigneeUserId,
    };
  }
  if ('location' in input) after.location = mergeLocation(after.location, input.location ?? null);
  if ('attributes' in input) after.attributes = mergeAttributes(after.attributes, input.attributes);
}

const nowhere: StoredListingLocation = {
  postalCode: null,
  city: null,
  region: null,
  country: null,
  geo: null,
  precision: 'approximate',
};

function mergeLocation(
  before: StoredListingLocation | null,
  input: ListingInput['location'],
): StoredListingLocation | null {
  if (!input) return null;
  const { precision, geo } = input;
  const after = { ...(before ?? nowhere) };
  for (const member of ['postalCode', 'city', 'region', 'country'] as const) {
    if (member in input) after[member] = input[member]?.trim() || null;
  }
  if (geo !== undefined) after.geo = geo && { ...geo };
  if (precision) after.precision = precision;
  return after;
}

/** Merges attributes. A value that is not an object replaces them, so that the validation refuses its type. */
function mergeAttributes(before: Attributes, patch: unknown): Attributes {
  if (patch === null) return {};
  if (typeof patch !== 'object' || Array.isArray(patch)) return patch as Attributes;
  const merged = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged) as Attributes;
}

function assertNotNull(input: ListingInput): void {
  const members = {
    language: input.language,
    priceType: input.priceType,
    tax: input.tax,
    'tax/mode': input.tax?.mode,
    contact: input.contact,
    'contact/showPhone': input.contact?.showPhone,
    'location/precision': input.location?.precision,
  };
  const problems: FieldProblem[] = Object.entries(members)
    .filter(([, value]) => value === null)
    .map(([member]) => problem(`#/${member}`, 'This member must not be empty.'));
  if (problems.length > 0) throw invalidFields(problems);
}
