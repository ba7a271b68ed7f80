import { AuditEventModel } from '../audit/store/model.ts';
import { EventModel, RelayCursorModel } from '../events/model.ts';
import { ExecutionModel } from '../idempotency/model.ts';
import { InstallationModel } from '../installation/Installations.ts';
import { MigrationModel } from '../migration/model.ts';
import { RateCountModel, SharedCountModel } from '../rate/model.ts';
import { UsageCountModel, UsageOperationModel } from '../usage/model.ts';

/** Models that belong to no subgraph; every process creates their collections and indexes. */
export const platformModels = [
  InstallationModel,
  ExecutionModel,
  AuditEventModel,
  RateCountModel,
  SharedCountModel,
  EventModel,
  RelayCursorModel,
  MigrationModel,
  UsageCountModel,
  UsageOperationModel,
];
