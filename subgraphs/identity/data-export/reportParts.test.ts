import { product } from '../../../test/support/product.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel } from '../user/model.ts';
import type { ExportPart } from './ExportPart.ts';
import { notices, reports } from './reportParts.ts';

const world = product();
const { market } = world;
const run = (source: string, input: object, by?: { token: string }) =>
  world.stack.execute(source, { input }, { as: by ?? null, installation: market.installation });

async function exported(part: ExportPart, userId: string): Promise<any[]> {
  const installationId = market.installation.id;
  const user = await scoped(UserModel, installationId).findOne({ _id: userId });
  if (!user) throw new Error('There is no such user.');
  const records: object[] = [];
  for await (const record of part.records({ installationId, user })) records.push(record);
  return records;
}

test('an export holds what somebody reported and what came of it, not what is others’ affair', async () => {
  const [anna, buyer, moderator] = [
    await market.user(),
    await market.user(),
    await market.staff('moderator'),
  ];
  const target = { type: 'USER', id: anna.id };
  const made = await run(
    'mutation ($input: CreateReportInput!) { createReport(input: $input) { report { id } } }',
    { target, reason: 'FRAUD', text: 'He took my money.' },
    buyer,
  );
  const { id: reportId } = made.data?.createReport.report ?? {};
  const resolution = { reportId, outcome: 'DISMISSED', answer: 'Ask your bank.', note: 'A regular.' };
  await run(
    'mutation ($input: ResolveReportInput!) { resolveReport(input: $input) { report { id } } }',
    resolution,
    moderator,
  );
  const [report, ...others] = await exported(reports, buyer.id);
  expect(others).toEqual([]);
  expect(report).toEqual({
    id: reportId,
    target: { type: 'user', id: anna.id },
    reason: 'fraud',
    text: 'He took my money.',
    state: 'dismissed',
    answer: 'Ask your bank.',
    resolvedAt: expect.any(Date),
    createdAt: expect.any(Date),
  });
  expect(await exported(reports, anna.id)).toEqual([]);
});

test('an export holds the notices that were given with the address, without their tokens', async () => {
  const user = await market.user();
  await run('mutation ($input: CreateNoticeInput!) { createNotice(input: $input) { accepted } }', {
    target: { type: 'LISTING', id: 'some-car' },
    reason: 'ILLEGAL',
    text: 'Stolen.',
    email: user.email,
    goodFaith: true,
  });
  const [notice] = await exported(notices, user.id);
  expect(notice).toMatchObject({ text: 'Stolen.', email: user.email, confirmedAt: null });
  expect(notice).not.toHaveProperty('id');
  expect(await exported(notices, (await market.user()).id)).toEqual([]);
});
