import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { product } from '../../../test/support/product.ts';
import { unique } from '../../../test/support/seed.ts';
import { interceptWrites } from '../../../test/support/stack/interceptWrites.ts';
import { newId } from '../ids/newId.ts';
import { scoped } from '../installation/scoped.ts';
import { openAuditBuffer } from './store/AuditBuffer.ts';
import { AuditEventModel, type AuditEventRecord } from './store/model.ts';

product();
// Each test has installations of its own, whose audit is empty.
let here: string;
let there: string;
beforeEach(() => {
  [here, there] = [unique('ins'), unique('ins')];
});

const open = (options: { capacity?: number; delayMs?: number } = {}) =>
  openAuditBuffer({ log: pino({ level: 'silent' }), now: Date.now, delayMs: 3_600_000, ...options });

function denial(actor: string, action = 'roles', installationId = here): AuditEventRecord {
  return {
    _id: newId('auditEvent'),
    installationId,
    actor: { type: 'user', id: actor },
    onBehalfOf: null,
    action,
    target: null,
    result: 'denied',
    reason: 'permission_required',
    requestId: null,
    ipPrefix: null,
    at: new Date(),
    count: 1,
  };
}

const audit = (installationId = here) => scoped(AuditEventModel, installationId);
const stored = (installationId?: string) => audit(installationId).find({}, { sort: { at: 1, _id: 1 } });

test('buffered audit events are stored in the installation that they belong to', async () => {
  const buffer = open();
  for (let index = 0; index < 50; index += 1) buffer.add(denial(`usr_${index}`));
  buffer.add(denial('usr_b', 'roles', there));
  await buffer.flush();
  expect(await stored()).toHaveLength(50);
  expect(await stored(there)).toMatchObject([{ actor: { id: 'usr_b' }, count: 1 }]);
});

test('buffered audit events are stored after the delay, and when the buffer is closed', async () => {
  const soon = open({ delayMs: 1 });
  soon.add(denial('usr_1'));
  while ((await stored()).length === 0) await pause(1);
  const ending = open();
  ending.add(denial('usr_2'));
  for (const buffer of [soon, ending]) await buffer.close();
  expect(await stored()).toHaveLength(2);
});

test('a full buffer counts further events, by actor and action if they are buffered, or else by installation', async () => {
  const small = open({ capacity: 3 });
  for (const actor of ['usr_1', 'usr_2', 'usr_3']) small.add(denial(actor));
  for (let index = 0; index < 1000; index += 1) {
    small.add(denial('usr_2'));
    small.add(denial(`usr_x${index}`, 'adminUsers'));
  }
  small.add(denial('usr_3', 'adminUsers', there));
  await small.close();
  const lines = [...(await stored()), ...(await stored(there))];
  expect(lines.map(({ actor, action, count }) => `${actor.id} ${action} ${count}`).sort()).toEqual([
    'audit auditOverflow 1',
    'audit auditOverflow 1000',
    'usr_1 roles 1',
    'usr_2 roles 1001',
    'usr_3 roles 1',
  ]);
});

test('audit events that are added during a flush belong to the next batch', async () => {
  const small = open({ capacity: 1 });
  small.add(denial('usr_1'));
  const flushed = small.flush();
  await Promise.resolve();
  for (let index = 0; index < 2; index += 1) small.add(denial('usr_1'));
  await flushed;
  await small.close();
  expect((await stored()).map(({ count }) => String(count)).sort()).toEqual(['1', '2']);
});

test('audit events stay buffered while the database fails, and are stored once afterwards', async () => {
  const patient = open();
  const event = denial('usr_1');
  await audit().insertAbsent([event]);
  patient.add(event);
  patient.add(denial('usr_2'));
  interceptWrites((write, run) =>
    write.startsWith('audit_events') ? Promise.reject(new Error('No connection.')) : run(),
  );
  await patient.flush();
  interceptWrites(null);
  await patient.close();
  expect((await stored()).map(({ actor }) => actor.id).sort()).toEqual(['usr_1', 'usr_2']);
});

describe('a stored audit event', () => {
  const Model = AuditEventModel;
  const change = { $set: { actor: { type: 'user', id: 'usr_2' } } };
  let event: AuditEventRecord;
  let filter: { _id: string; installationId: string };
  beforeEach(async () => {
    event = denial('usr_1', 'suspendUser');
    filter = { _id: event._id, installationId: here };
    await audit().insert(event);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['updateOne', () => Model.updateOne(filter, change).exec()],
    ['updateMany', () => Model.updateMany(filter, change).exec()],
    ['findOneAndUpdate', () => Model.findOneAndUpdate(filter, change).exec()],
    ['findOneAndReplace', () => Model.findOneAndReplace(filter, { ...event, action: 'x' }).exec()],
    ['findOneAndDelete', () => Model.findOneAndDelete(filter).exec()],
    ['replaceOne', () => Model.replaceOne(filter, { ...event, action: 'x' }).exec()],
    ['deleteOne', () => Model.deleteOne(filter).exec()],
    ['deleteMany', () => Model.deleteMany(filter).exec()],
    ['bulkWrite', () => Model.bulkWrite([{ deleteOne: { filter } }])],
    ['a scoped update', () => audit().findOneAndUpdate({ _id: event._id }, change)],
    ['scoped updates', () => audit().updateMany({ _id: event._id }, change)],
    ['a scoped removal', () => audit().deleteMany({ _id: event._id })],
    ['save', async () => (await Model.findOne(filter))?.set('action', 'x').save()],
    ["a document's deleteOne", async () => (await Model.findOne(filter))?.deleteOne()],
    ["a document's updateOne", async () => (await Model.findOne(filter))?.updateOne(change)],
  ])('a stored audit event is not changed by %s', async (_, write) => {
    await expect(write()).rejects.toThrow('written once');
    expect(await audit().findOne({ _id: event._id })).toEqual(event);
  });
});
