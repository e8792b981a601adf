export { Gatehouse, type GatehouseOptions } from './gatehouse.ts';
export type { Call, ResponseInfo, WithResponse } from './http/call.ts';
export { type ClientErrorCode, GatehouseError, type GatehouseErrorFacts } from './http/error.ts';
export type { List, Page } from './http/list.ts';
export type { CallOptions, ChangeOptions, CreateOptions } from './http/options.ts';
export type { Event, EventFilter, FollowEvents, StreamEvents } from './resources/events/events.ts';
export type { WaitForRun } from './resources/sources/run-polling.ts';
export type * from './types.ts';
