export type { Call, ResponseInfo, WithResponse } from './call.ts';
export { type ClientErrorCode, GatehouseError, type GatehouseErrorFacts } from './error.ts';
export type { Event, EventFilter, FollowEvents, StreamEvents } from './events.ts';
export { Gatehouse, type GatehouseOptions } from './gatehouse.ts';
export type { List, Page } from './list.ts';
export type { CallOptions, ChangeOptions, CreateOptions } from './options.ts';
export type { WaitForRun } from './sources.ts';
export type * from './types.ts';
