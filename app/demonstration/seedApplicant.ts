import { Readable } from 'node:stream';
import { MediaModel, newMedia } from '../../subgraphs/identity/media/model.ts';
import { originalKey } from '../../subgraphs/identity/media/storageKeys.ts';
import type { documentKinds } from '../../subgraphs/identity/people/dealer/verification.ts';
import type { Platform } from '../../subgraphs/platform/context/Platform.ts';
import { repeatableId } from '../../subgraphs/platform/ids/newId.ts';
import { scoped } from '../../subgraphs/platform/installation/scoped.ts';
import type { Caller } from './Caller.ts';
import { seedOperation } from './seedOperation.ts';
import { toPdf } from './toPdf.ts';

const createDealer = seedOperation(`mutation createDealer($input: CreateDealerInput!) {
  createDealer(input: $input) { dealer { id } } }`);
const readDealer = seedOperation(
  `query dealer($id: ID!) { dealer(dealerId: $id) { verification { state } } }`,
);
const putVerification = seedOperation(`mutation putDealerVerification($input: PutDealerVerificationInput!) {
  putDealerVerification(input: $input) { verification { state } } }`);
const submitVerification =
  seedOperation(`mutation submitDealerVerification($input: SubmitDealerVerificationInput!) {
  submitDealerVerification(input: $input) { verification { state } } }`);

/** The same at every start, so that a start after an interrupted one continues with it. */
const foundation = {
  legalName: 'Newcomer Classics GmbH',
  tradeName: 'Newcomer Classics',
  description: 'Youngtimers from **1985 to 2000**, each with its papers.',
  website: 'https://newcomer.example',
  contactPhone: '+493012345678',
  country: 'DE',
  address: { line1: 'Werkstr. 7', postalCode: '12099', city: 'Berlin', country: 'DE' },
  locations: [
    {
      name: 'Hall 7',
      address: { line1: 'Werkstr. 7', postalCode: '12099', city: 'Berlin', country: 'DE' },
      geo: { lat: 52.4603, lng: 13.3847 },
      openingHours: ['TUE', 'WED', 'THU', 'FRI'].map((day) => ({ day, opens: '10:00', closes: '18:00' })),
    },
  ],
  idempotencyKey: 'demonstration-applicant',
};

/**
 * Creates a dealer that waits for its verification, as its owner would, so that the administrator's queue is not empty.
 * Its documents are stored as after an upload, because no job processes files during the start.
 */
export async function seedApplicant(
  applicant: Caller,
  { platform, installationId, email }: { platform: Platform; installationId: string; email: string },
): Promise<void> {
  const { createDealer: founded } = await applicant.call<{ createDealer: { dealer: { id: string } } }>(
    createDealer,
    { input: { ...foundation, contactEmail: email } },
  );
  const dealerId = founded.dealer.id;
  const { dealer } = await applicant.call<{ dealer: { verification: { state: string } } }>(readDealer, {
    id: dealerId,
  });
  const { state } = dealer.verification;
  if (state !== 'NOT_STARTED' && state !== 'DRAFT') return;
  const documents = await storeDocuments(platform, { installationId, dealerId });
  await applicant.call(putVerification, {
    input: {
      dealerId,
      registrationNumber: 'HRB 98765 B',
      vatId: 'DE136695976',
      representative: { givenName: 'Nora', familyName: 'Newcomer', birthDate: '1988-04-12' },
      tradingSince: '2019-03-01',
      documents,
      selfCertification: true,
    },
  });
  await applicant.call(submitVerification, { input: { dealerId } });
}

const papers = {
  id: ['Specimen of an identity card', 'Nora Newcomer', 'Born 1988-04-12'],
  register_extract: ['Specimen of a register extract', 'Newcomer Classics GmbH', 'HRB 98765 B', 'Berlin'],
} as const satisfies Partial<Record<(typeof documentKinds)[number], readonly string[]>>;

async function storeDocuments(
  platform: Platform,
  { installationId, dealerId }: { installationId: string; dealerId: string },
): Promise<{ kind: string; mediaId: string }[]> {
  const files = Object.entries(papers).map(([kind, lines]) => ({
    kind,
    bytes: toPdf(lines),
    _id: repeatableId('media', dealerId, kind),
  }));
  const at = new Date(platform.now());
  const records = await Promise.all(
    files.map(async ({ kind, bytes, _id }) => {
      const facts = { contentType: 'application/pdf' };
      const stored = await platform.storage.put(
        originalKey(installationId, _id),
        Readable.from([bytes]),
        facts,
      );
      return newMedia({
        _id,
        owner: { type: 'dealer', id: dealerId },
        kind: 'document',
        purpose: 'verification',
        state: 'ready',
        filename: `${kind}.pdf`,
        ...facts,
        ...stored,
        original: _id,
        createdAt: at,
      });
    }),
  );
  await scoped(MediaModel, installationId).insertAbsent(records);
  return files.map(({ kind, _id }) => ({ kind: kind.toUpperCase(), mediaId: _id }));
}
