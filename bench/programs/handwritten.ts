import { createHash } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import mongoose from 'mongoose';
import { listen } from '../../app/http/listen.ts';
import { ListingModel } from '../../subgraphs/identity/listings/listing/record/model.ts';
import {
  ConversationModel,
  type ConversationRecord,
} from '../../subgraphs/identity/messaging/conversation/model.ts';
import { UserModel, type UserRecord } from '../../subgraphs/identity/people/user/model.ts';
import type { Viewer } from '../../subgraphs/platform/principal/Viewer.ts';
import { SnapshotModel } from '../../subgraphs/seo/analysis/snapshot/model.ts';
import { SeoRecordModel } from '../../subgraphs/seo/pages/record/model.ts';
import { TranslationModel } from '../../subgraphs/translation/records/model.ts';
import { openHere } from './openHere.ts';

/**
 * The product without federation, as a baseline: Express handlers that check the same token and principal with the same
 * code, read the same documents with mongoose, and return the same JSON.
 */
const { configuration, platform, close } = await openHere();

type Person = UserRecord & { waiting: Pick<ConversationRecord, 'buyerUserId' | 'sellerId' | 'unread'>[] };

const app = express();
app.disable('x-powered-by');
app.disable('etag');

/** Returns the caller, or null after a refusal. */
async function authorise(request: Request, response: Response, fresh: boolean): Promise<Viewer | null> {
  const installation = platform.installations.findByHost(request.hostname);
  const identity = await platform.identify(request.headers.authorization, fresh);
  if (identity.kind !== 'accepted' || identity.viewer.installationId !== installation?.id) {
    response.status(401).json({ code: 'token_invalid' });
    return null;
  }
  return identity.viewer;
}

function answer(response: Response, version: number, body: unknown): void {
  const text = JSON.stringify(body);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  response.setHeader('ETag', `"${version}-${digest}"`);
  response.setHeader('Cache-Control', 'no-store');
  response.type('json').send(text);
}

/** Reads the user with the unread messages in one command, as the product does. */
async function readPerson({ id, installationId, principal }: Viewer): Promise<Person | undefined> {
  const inboxes = [id, ...principal.memberships.map(({ dealerId }) => dealerId)];
  const waiting = [
    { $match: { installationId, unreadFor: { $in: inboxes } } },
    { $limit: 1000 },
    { $project: { buyerUserId: 1, sellerId: 1, unread: 1 } },
  ];
  const [person] = await UserModel.aggregate<Person>([
    { $match: { _id: id, installationId } },
    { $lookup: { from: ConversationModel.collection.name, pipeline: waiting, as: 'waiting' } },
  ]).exec();
  return person;
}

function countUnread({ _id, waiting }: Person, { principal }: Viewer): number {
  const sellers = [_id, ...principal.memberships.map(({ dealerId }) => dealerId)];
  return waiting.reduce(
    (sum, { buyerUserId, sellerId, unread }) =>
      sum + (buyerUserId === _id ? unread.buyer : 0) + (sellers.includes(sellerId) ? unread.seller : 0),
    0,
  );
}

app.get('/api/v1/me', async (request, response) => {
  const viewer = await authorise(request, response, false);
  if (!viewer) return;
  const { token, principal, installationId } = viewer;
  const person = await readPerson(viewer);
  const installation = platform.installations.findById(installationId);
  if (!person || !installation) return void response.status(404).json({ code: 'not_found' });
  answer(response, person.version, {
    id: viewer.id,
    type: 'user',
    ...pick(person, ['email', 'emailVerified', 'givenName', 'familyName', 'displayName', 'phone']),
    ...pick(person, ['avatarMediaId', 'locale', 'timeZone', 'accountType', 'state', 'stateReason']),
    installation: pick(installation, ['id', 'name', 'defaultCurrency', 'locales']),
    roles: principal.roles,
    permissions: [...viewer.permissions].sort(),
    scopes: [...token.scopes].sort(),
    dealerMemberships: principal.memberships.map((membership) => ({
      ...pick(membership, ['dealerId', 'name', 'dealerState', 'locationIds']),
      role: membership.role.toLowerCase(),
    })),
    mfa: {
      enabled: person.factors.some(({ state }) => state === 'active'),
      requiredByRole: principal.roles.some((role) =>
        (installation.settings.mfaRequiredRoles as readonly string[]).includes(role),
      ),
      factors: person.factors.map((factor) => ({
        type: 'totp',
        ...pick(factor, ['id', 'label', 'state', 'createdAt']),
      })),
      recoveryCodesLeft: person.recoveryCodeHashes.length,
    },
    ...pick(person, ['consents', 'notificationPreferences']),
    counts: { unreadMessages: countUnread(person, viewer), openReports: null },
    session: {
      id: token.sessionId,
      authTime: new Date(token.authTime * 1000),
      amr: token.amr,
      accessExpiresAt: new Date(token.expiresAt * 1000),
    },
    ...pick(person, ['deletion', 'version', 'createdAt', 'updatedAt']),
  });
});

app.get('/join/:listingId', async (request, response) => {
  const viewer = await authorise(request, response, true);
  if (!viewer) return;
  const { installationId } = viewer;
  const objectId = request.params.listingId;
  const listing = await ListingModel.findOne({ _id: objectId, installationId }).lean().exec();
  if (!listing) return void response.status(404).json({ code: 'not_found' });
  if (!viewer.hasDealerRole(listing.owner.id, 'AGENT'))
    return void response.status(403).json({ code: 'ownership_required' });
  const [record, own] = await Promise.all([
    SeoRecordModel.findOne({ installationId, objectType: 'listing', objectId, locale: 'en' }).lean().exec(),
    TranslationModel.findOne({ installationId, objectKey: `listing:${objectId}` })
      .lean()
      .exec(),
  ]);
  const [snapshot, members] = await Promise.all([
    record &&
      SnapshotModel.findOne({ installationId, recordId: record._id }).sort({ createdAt: -1 }).lean().exec(),
    own?.groupId ? TranslationModel.find({ installationId, groupId: own.groupId }).lean().exec() : [],
  ]);
  response.json({
    data: {
      listing: {
        id: listing._id,
        title: listing.title,
        price: listing.price,
        seo: record && {
          keyphrase: record.keyphrase,
          latestAnalysis: snapshot && { scores: { seo: snapshot.scores.seo } },
        },
        translations: members
          .filter((member) => member.liveSince !== null && member._id !== own?._id)
          .map((member) => ({
            languageCode: member.language,
            live: true,
            fields: { title: member.publishedFields?.title },
          })),
      },
    },
  });
});

function pick<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Pick<T, K> {
  const picked = {} as Pick<T, K>;
  for (const key of keys) picked[key] = source[key];
  return picked;
}

const listener = await listen(app, configuration);
process.once('SIGTERM', () => {
  void listener
    .drain()
    .then(close)
    .then(() => mongoose.disconnect())
    .then(() => process.exit(0));
});
console.log(`ready http://localhost:${listener.port}`);
