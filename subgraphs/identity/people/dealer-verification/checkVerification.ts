import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import { checkReference } from '../../media/checkReference.ts';
import type { MediaReference } from '../../media/mediaLoader.ts';
import type { StoredDocument, VerificationContent } from '../dealer/verification.ts';
import { checkName } from '../user/personalText.ts';
import { findVatIdFault } from './checkVatId.ts';
import { isDay, yearsBefore } from './day.ts';

const mostDocuments = 10;
const adultYears = 18;
const firstDay = '1900-01-01';

/** Records that a draft is checked against. */
export interface VerificationReferences {
  dealerId: string;
  /** ISO 3166-1 alpha-2 code of the dealer. */
  country: string;
  /** Files by id; null or missing for what does not exist in the installation. */
  media: ReadonlyMap<string, MediaReference | null>;
  /** Current date in UTC, as `YYYY-MM-DD`. */
  today: string;
}

/** Returns the errors in a draft; missing members are not errors. */
export function checkVerification(
  content: VerificationContent,
  references: VerificationReferences,
): FieldProblem[] {
  const { registrationNumber, vatId, tradingSince, documents } = content;
  const { country, today } = references;
  const fault = vatId === null ? null : findVatIdFault(vatId, country);
  return [
    ...(registrationNumber === null
      ? []
      : checkLine(registrationNumber, '#/registrationNumber', { maximum: 40 })),
    ...(fault ? [problem('#/vatId', fault)] : []),
    ...checkRepresentative(content, today),
    ...(tradingSince !== null && (!isDay(tradingSince) || tradingSince > today)
      ? [problem('#/tradingSince', 'A date must have the form YYYY-MM-DD and must not be in the future.')]
      : []),
    ...checkDocuments(documents, references),
  ];
}

function* checkRepresentative(
  { representative }: VerificationContent,
  today: string,
): Generator<FieldProblem> {
  if (!representative) return;
  const at = '#/representative';
  for (const member of ['givenName', 'familyName'] as const) {
    const fault = checkName(representative[member], `${at}/${member}`);
    if (fault) yield fault;
  }
  const { birthDate } = representative;
  if (!isDay(birthDate) || birthDate < firstDay)
    yield problem(`${at}/birthDate`, 'A date of birth must have the form YYYY-MM-DD.');
  else if (birthDate > yearsBefore(today, adultYears))
    yield problem(`${at}/birthDate`, `A representative must be at least ${adultYears} years old.`);
}

function* checkDocuments(
  documents: readonly StoredDocument[],
  references: VerificationReferences,
): Generator<FieldProblem> {
  if (documents.length > mostDocuments)
    return yield problem('#/documents', `A verification can have at most ${mostDocuments} documents.`);
  for (const [index, { mediaId, expiresOn }] of documents.entries()) {
    const at = `#/documents/${index}`;
    const wanted = { ownerId: references.dealerId, purpose: 'verification' } as const;
    const missing = checkReference(references.media.get(mediaId) ?? null, wanted, `${at}/mediaId`);
    if (missing.length > 0) yield* missing;
    else if (documents.slice(0, index).some((other) => other.mediaId === mediaId))
      yield problem(`${at}/mediaId`, 'This file is listed twice.');
    if (expiresOn !== null && !isDay(expiresOn))
      yield problem(`${at}/expiresOn`, 'A date must have the form YYYY-MM-DD.');
    else if (expiresOn !== null && expiresOn < references.today)
      yield problem(`${at}/expiresOn`, 'This document has expired.');
  }
}
