import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import pino from 'pino';
import { connectTestDatabase } from '../../../test/support/connectTestDatabase.ts';
import { newId } from '../ids/newId.ts';
import { scoped } from '../installation/scoped.ts';
import { syncIndexes } from '../mongo/syncIndexes.ts';
import { type AuditBuffer, openAuditBuffer } from './AuditBuffer.ts';
import { AuditEventModel, type AuditEventRecord } from './model.ts';

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let buffer: AuditBuffer;

beforeAll(async () => {
  database = await connectTestDatabase();
  await syncIndexes([AuditEventModel]);
});
afterAll(() => database.close());
beforeEach(async () => {
  await mongoose.connection.collection('audit_events').deleteMany({});
  buffer = open();
});
afterEach(() => buffer.close());

const log = pino({ level: 'silent' });
const open = (options: { capacity?: number; delayMs?: number } = {}) =>
  openAuditBuffer({ log, now: Date.now, ...options });

function denial(actor: string, action: string, installationId = 'ins_a'): AuditEventRecord {
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

const stored = (installationId = 'ins_a') =>
  scoped(AuditEventModel, installationId).find({}, { sort: { at: 1, _id: 1 } });

describe('lines that nobody waits for', () => {
  test('are stored in one batch per installation', async () => {
    for (let index = 0; index < 50; index += 1) buffer.add(denial(`usr_${index}`, 'roles'));
    buffer.add(denial('usr_b', 'roles', 'ins_b'));
    await buffer.flush();
    expect(await stored()).toHaveLength(50);
    expect(await stored('ins_b')).toMatchObject([{ actor: { id: 'usr_b' }, count: 1 }]);
  });

  test('are stored without anybody asking for it', async () => {
    const soon = open({ delayMs: 1 });
    soon.add(denial('usr_1', 'roles'));
    while ((await stored()).length === 0) await pause(1);
    await soon.close();
    expect(await stored()).toHaveLength(1);
  });

  test('are stored when the process ends in order', async () => {
    const ending = open({ delayMs: 3_600_000 });
    ending.add(denial('usr_1', 'roles'));
    await ending.close();
    expect(await stored()).toHaveLength(1);
  });

  test('are counted where there is no room: nothing of a flood is lost, and it takes no memory', async () => {
    const small = open({ capacity: 3 });
    for (const actor of ['usr_1', 'usr_2', 'usr_3']) small.add(denial(actor, 'roles'));
    for (let index = 0; index < 1000; index += 1) small.add(denial('usr_2', 'roles'));
    for (let index = 0; index < 1000; index += 1) small.add(denial(`usr_x${index}`, 'adminUsers'));
    small.add(denial('usr_3', 'adminUsers', 'ins_b'));
    await small.close();
    const lines = [...(await stored()), ...(await stored('ins_b'))];
    expect(lines.map(({ actor, action, count }) => `${actor.id} ${action} ${count}`).sort()).toEqual([
      'audit auditOverflow 1',
      'audit auditOverflow 1000',
      'usr_1 roles 1',
      'usr_2 roles 1001',
      'usr_3 roles 1',
    ]);
  });

  test('that came in while a batch was written are lines of their own', async () => {
    const small = open({ capacity: 1 });
    small.add(denial('usr_1', 'roles'));
    const flushed = small.flush();
    await Promise.resolve();
    small.add(denial('usr_1', 'roles'));
    small.add(denial('usr_1', 'roles'));
    await flushed;
    await small.close();
    expect((await stored()).map(({ count }) => String(count)).sort()).toEqual(['1', '2']);
  });

  test('wait for a database that is away, and are stored once when it is back', async () => {
    const patient = open({ delayMs: 3_600_000 });
    const event = denial('usr_1', 'roles');
    await scoped(AuditEventModel, 'ins_a').insertAbsent([event]);
    patient.add(event);
    patient.add(denial('usr_2', 'roles'));
    await mongoose.disconnect();
    await patient.flush();
    database = await reconnect(database);
    await patient.close();
    expect((await stored()).map(({ actor }) => actor.id).sort()).toEqual(['usr_1', 'usr_2']);
  });
});

describe('a line of the audit', () => {
  const event = denial('usr_1', 'suspendUser');
  const filter = { _id: event._id, installationId: 'ins_a' };
  const change = { $set: { actor: { type: 'user', id: 'usr_2' } } };
  const Model = AuditEventModel;

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
    ['scoped update', () => scoped(Model, 'ins_a').findOneAndUpdate({ _id: event._id }, change)],
    ['scoped updates', () => scoped(Model, 'ins_a').updateMany({ _id: event._id }, change)],
    ['scoped removal', () => scoped(Model, 'ins_a').deleteMany({ _id: event._id })],
    ['save', async () => (await Model.findOne(filter))?.set('action', 'x').save()],
    ["a document's deleteOne", async () => (await Model.findOne(filter))?.deleteOne()],
    ["a document's updateOne", async () => (await Model.findOne(filter))?.updateOne(change)],
  ])('is written once: %s is refused', async (_, write) => {
    await scoped(Model, 'ins_a').insert(event);
    await expect(write()).rejects.toThrow('written once');
    expect(await scoped(Model, 'ins_a').findOne({ _id: event._id })).toEqual(event);
  });
});

async function reconnect(before: typeof database): Promise<typeof database> {
  await mongoose.connect(before.uri, { dbName: before.name });
  return before;
}
