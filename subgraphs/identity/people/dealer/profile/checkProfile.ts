import type { FieldProblem } from '../../../../../schema/Problem.ts';
import { problem } from '../../../../platform/errors/AppError.ts';
import { findMarkdownFault } from '../../../kernel/markdown/findMarkdownFault.ts';
import { isCurrency } from '../../../kernel/money/isCurrency.ts';
import { isCountry } from '../../../kernel/place/isCountry.ts';
import { checkLine, isDeceptive } from '../../../kernel/text/checkLine.ts';
import { normalizeEmail } from '../../user/emailAddress.ts';
import { checkPhone } from '../../user/personalText.ts';
import type { StoredPayoutSchedule } from '../model.ts';
import { checkAddress } from './checkAddress.ts';
import { checkLocations } from './checkLocations.ts';
import type { DealerProfile } from './profile.ts';

const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const longestUrl = 2048;

/**
 * Returns the errors in a profile.
 *
 * @param knownIds ids of the dealer's locations; others cannot be referenced
 */
export function checkProfile(profile: DealerProfile, knownIds: ReadonlySet<string>): FieldProblem[] {
  const { address, locations, schedule } = profile;
  return [
    ...checkNames(profile),
    ...checkContact(profile),
    ...checkTerms(profile),
    ...(address ? checkAddress(address, '#/address') : []),
    ...checkLocations(locations, knownIds),
    ...checkSchedule(schedule),
  ];
}

function* checkNames({ legalName, tradeName, slug, description }: DealerProfile): Generator<FieldProblem> {
  yield* checkLine(legalName, '#/legalName', { minimum: 2, maximum: 200 });
  yield* checkLine(tradeName, '#/tradeName', { minimum: 2, maximum: 120 });
  if (slug.length < 3 || slug.length > 60 || !slugPattern.test(slug))
    yield problem('#/slug', 'A slug must have 3 to 60 characters of a-z, 0-9 and single hyphens.');
  const fault = description === null ? null : findMarkdownFault(description, 5000);
  if (fault) yield problem('#/description', fault);
}

function* checkContact({ website, contactEmail, contactPhone }: DealerProfile): Generator<FieldProblem> {
  if (website !== null && !isWebsite(website))
    yield problem('#/website', 'A website must be an absolute https URL of at most 2,048 characters.');
  if (normalizeEmail(contactEmail) === null)
    yield problem(
      '#/contactEmail',
      'An email address must have the form name@example.com and at most 254 characters.',
    );
  const fault = contactPhone === null ? null : checkPhone(contactPhone, '#/contactPhone');
  if (fault) yield fault;
}

/**
 * Returns whether a text is a website. A URL with credentials is refused, because it can display another site than it
 * opens.
 */
function isWebsite(text: string): boolean {
  const url = text.length <= longestUrl && !isDeceptive(text) ? URL.parse(text) : null;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

function* checkTerms({ country, currency }: DealerProfile): Generator<FieldProblem> {
  if (!isCountry(country))
    yield problem('#/country', 'A country must be an ISO 3166-1 alpha-2 code, such as DE.');
  if (!isCurrency(currency)) yield problem('#/currency', 'A currency must be an ISO 4217 code, such as EUR.');
}

const anchors: Partial<Record<StoredPayoutSchedule['interval'], number>> = { weekly: 7, monthly: 28 };

function* checkSchedule({ interval, anchor }: StoredPayoutSchedule): Generator<FieldProblem> {
  const last = anchors[interval];
  const pointer = '#/payout/schedule/anchor';
  if (last === undefined && anchor !== null)
    yield problem(pointer, `The payout interval "${interval}" must have no anchor.`);
  if (last !== undefined && (anchor === null || anchor < 1 || anchor > last))
    yield problem(
      pointer,
      `The anchor of the payout interval "${interval}" must be a day from 1 to ${last}.`,
    );
}
