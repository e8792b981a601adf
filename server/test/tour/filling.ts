import type { OperatorRole } from '@gatehouse/contract';
import type { TestResponse, TestServer, TestSite } from '../test-server.ts';
import type { Person } from './people.ts';

/** What the club is made of while it is filled. */
export interface Filling {
  readonly server: TestServer;
  readonly site: TestSite;
  readonly random: () => number;
  readonly people: readonly Person[];
  readonly groups: Readonly<Record<GroupName, string>>;
  /** Sends a request to the API as this operator. */
  as(name: OperatorName, method: string, path: string, body?: unknown): Promise<Json>;
}

/** The data of a response. */
export type Json = TestResponse['body'];

export const operators = {
  'Sofia Lindqvist': 'owner',
  'Tomás Herrera': 'admin',
  'Aiko Mori': 'support',
} as const satisfies Record<string, OperatorRole>;
export type OperatorName = keyof typeof operators;

export const groupTexts = {
  Masters: 'Adults who train three times a week.',
  Juniors: 'Under 18, with their coaches.',
  Coaches: 'They plan the training and keep the boats.',
  'Regatta crew': 'Rows for the club at the summer regattas.',
  Board: 'Elected in January for two years.',
  'Learn to row 2026': 'The spring course, until the end of May.',
} as const;
export type GroupName = keyof typeof groupTexts;

/** How many of the people are members at the start; the others join while time passes. */
export const founding = 148;
export const endOfCourse = '2026-05-31T21:59:59.999Z';
