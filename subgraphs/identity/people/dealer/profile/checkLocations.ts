import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { problem } from '../../../../platform/errors/AppError.ts';
import { checkLine } from '../../../kernel/text/checkLine.ts';
import { checkPhone } from '../../user/personalText.ts';
import type { StoredLocation, StoredOpeningHours } from '../model.ts';
import { checkAddress } from './checkAddress.ts';

const most = 50;
/** Six opening periods a day. */
const mostSpans = 42;
const opensPattern = /^([01]\d|2[0-3]):[0-5]\d$/;
const closesPattern = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Yields the errors in the places of business of a dealer. */
export function* checkLocations(
  locations: readonly StoredLocation[],
  knownIds: ReadonlySet<string>,
): Generator<FieldProblem> {
  if (locations.length > most) yield problem('#/locations', `A dealer can have at most ${most} locations.`);
  const defaults = locations.filter((location) => location.default).length;
  if (locations.length > 0 && defaults !== 1)
    yield problem('#/locations', 'Exactly one location must be the default.');
  const seen = new Set<string>();
  for (const [index, location] of locations.slice(0, most).entries()) {
    const pointer = `#/locations/${index}`;
    if (seen.has(location.id)) yield problem(`${pointer}/id`, 'This location is listed twice.');
    seen.add(location.id);
    yield* checkLocation(location, pointer, knownIds);
  }
}

function* checkLocation(
  { id, name, address, geo, phone, openingHours }: StoredLocation,
  pointer: string,
  knownIds: ReadonlySet<string>,
): Generator<FieldProblem> {
  if (!knownIds.has(id)) yield problem(`${pointer}/id`, 'The dealer does not have this location.');
  yield* checkLine(name, `${pointer}/name`, { maximum: 120 });
  yield* checkAddress(address, `${pointer}/address`);
  if (geo && Math.abs(geo.lat) > 90)
    yield problem(`${pointer}/geo/lat`, 'A latitude must be from -90 to 90.');
  if (geo && Math.abs(geo.lng) > 180)
    yield problem(`${pointer}/geo/lng`, 'A longitude must be from -180 to 180.');
  const fault = phone === null ? null : checkPhone(phone, `${pointer}/phone`);
  if (fault) yield fault;
  yield* checkOpeningHours(openingHours, `${pointer}/openingHours`);
}

function* checkOpeningHours(spans: readonly StoredOpeningHours[], pointer: string): Generator<FieldProblem> {
  if (spans.length > mostSpans)
    return yield problem(pointer, `A location can have at most ${mostSpans} opening hours.`);
  for (const [index, { day, opens, closes }] of spans.entries()) {
    const at = `${pointer}/${index}`;
    if (!opensPattern.test(opens))
      yield problem(`${at}/opens`, 'A time must have the form HH:mm, from 00:00 to 23:59.');
    else if (!closesPattern.test(closes))
      yield problem(`${at}/closes`, 'A time must have the form HH:mm, up to 24:00.');
    else if (closes <= opens)
      yield problem(
        `${at}/closes`,
        'The closing time must be after the opening time. Split opening hours that pass midnight into two entries.',
      );
    else if (spans.slice(0, index).some((other) => other.day === day && overlaps(other, { opens, closes })))
      yield problem(at, 'These hours overlap other hours of the same day.');
  }
}

/** Returns whether periods overlap. The lexical order of their times is chronological. */
function overlaps(
  one: Pick<StoredOpeningHours, 'opens' | 'closes'>,
  other: Pick<StoredOpeningHours, 'opens' | 'closes'>,
): boolean {
  return one.opens < other.closes && other.opens < one.closes;
}
