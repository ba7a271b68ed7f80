import { product } from '../../../../test/support/product.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { UserModel } from '../../people/user/model.ts';
import { personalData as noticeData } from '../notice/personalData.ts';
import { personalData as reportData } from './personalData.ts';

const { market } = product();

async function exported({ exports = [] }: PersonalData, { id }: SeededUser): Promise<object[]> {
  const installationId = market.installation.id;
  const user = await scoped(UserModel, installationId).findOne({ _id: id });
  if (!user) throw new Error('The user does not exist.');
  const records: object[] = [];
  for (const part of exports)
    for await (const record of part.records({ installationId, user })) records.push(record);
  return records;
}

test('a data export contains the reports of the user with their outcome and without notes of the staff', async () => {
  const [anna, buyer] = [await market.user(), await market.user()];
  const target = { type: 'USER', id: anna.id } as const;
  const { report } = await buyer.createReport({ target, reason: 'FRAUD', text: 'Took my money.' });
  const resolution = { outcome: 'DISMISSED', answer: 'Ask your bank.', note: 'A regular.' } as const;
  await (await market.staff('moderator')).resolveReport({ reportId: report.id, ...resolution });
  expect(await exported(reportData, buyer)).toEqual([
    {
      id: report.id,
      target: { type: 'user', id: anna.id },
      reason: 'fraud',
      text: 'Took my money.',
      state: 'dismissed',
      answer: 'Ask your bank.',
      resolvedAt: expect.any(Date),
      createdAt: expect.any(Date),
    },
  ]);
  expect(await exported(reportData, anna)).toEqual([]);
});

test('a data export contains the notices with the address of the user, without their tokens', async () => {
  const user = await market.user();
  const { email } = user;
  const target = { type: 'LISTING', id: 'some-car' } as const;
  await market.visitor.createNotice({ target, reason: 'ILLEGAL', text: 'Stolen.', email, goodFaith: true });
  const [notice] = await exported(noticeData, user);
  expect(notice).toMatchObject({ text: 'Stolen.', email, confirmedAt: null });
  expect(notice).not.toHaveProperty('id');
  expect(await exported(noticeData, await market.user())).toEqual([]);
});
