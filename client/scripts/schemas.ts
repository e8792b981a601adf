import * as contract from '@gatehouse/contract';

/** The parts of a schema that a comment can be taken from. */
export interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
}

/** The schema behind a type of the client, where it has one: it knows what each field means. */
export function schemaOf(typeName: string): Schema | undefined {
  const { operations } = contract;
  const schemas: Readonly<Record<string, unknown>> = {
    ...contract,
    BulkActionResult: operations.bulkMemberActions.success.body,
    BulkResult: operations.bulkCreateMembers.success.body,
    EventsByType: eventsByType(),
    GetOverview: operations.getOverview.query,
    ListAccessGroupMembers: operations.listAccessGroupMembers.query,
    ListAccessGroups: operations.listAccessGroups.query,
    ListApiKeys: operations.listApiKeys.query,
    ListEvents: operations.listEvents.query,
    ListMails: operations.listMails.query,
    ListMemberSessions: operations.listMemberSessions.query,
    ListMembers: operations.listMembers.query,
    ListOperators: operations.listOperators.query,
    SubmittedAccessRule: contract.AccessRule,
  };
  return schemas[typeName] as Schema | undefined;
}

function eventsByType(): Schema {
  const shapes = (contract.Event as Schema).oneOf ?? [];
  return { properties: Object.fromEntries(shapes.map((shape) => [shape.properties?.type?.const, shape])) };
}
