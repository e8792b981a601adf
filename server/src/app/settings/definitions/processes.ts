import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseBackupRetention, parseBackupSchedule } from '../../../jobs/backups/backup-schedule.ts';
import type { Definitions } from '../setting-definition.ts';
import { folder, numberParser, wholeNumber } from '../setting-values.ts';

/** Each has connections to the database of its own. */
const maxWorkers = 64;

export const processSettings = {
  GATEHOUSE_WORKERS: {
    option: '--workers <number>',
    default: 1,
    about: 'how many processes serve requests, or auto for one per core',
    details: 'Several need PostgreSQL',
    expected: `a whole number from 1 to ${maxWorkers}, or auto for one per core`,
    parse: workers,
  },
  GATEHOUSE_DRAIN_SECONDS: {
    default: 0,
    about:
      'how long it still serves requests after SIGTERM while `/readyz` fails, so that [a restart disturbs no request](operations/rolling-restart.md)',
    ...wholeNumber(0, 600, 'seconds'),
  },
  GATEHOUSE_EVENT_RETENTION_DAYS: {
    default: 90,
    about: 'how long events are retained',
    ...wholeNumber(1, 3_650, 'days'),
  },
  GATEHOUSE_PURGE_INTERVAL_SECONDS: {
    default: 60,
    about: 'how often expired data is purged',
    ...wholeNumber(1, 3_600, 'seconds'),
  },
  GATEHOUSE_BACKUP_FOLDER: {
    default: undefined,
    about:
      'the folder for [scheduled backups](operations/backup.md#sqlite-backups-on-schedule) of an SQLite database',
    expected: folder.expected,
    parse: (text: string) => path.resolve(text),
  },
  GATEHOUSE_BACKUP_SCHEDULE: {
    default: '03:00',
    about: 'when they are made: each day at a time in UTC, or at an interval such as `6h`',
    expected: 'a time of the day in UTC such as 03:00, or an interval from 5m to 31d such as 6h',
    parse: (text: string) => (parseBackupSchedule(text) ? text : undefined),
  },
  GATEHOUSE_BACKUP_KEEP: {
    default: '14',
    about: 'how many of them stay, or with `30d` for how many days',
    expected: 'a number of backups such as 14, or of days such as 30d',
    parse: (text: string) => (parseBackupRetention(text) ? text : undefined),
  },
} satisfies Definitions;

function workers(text: string): number | undefined {
  const cores = Math.min(availableParallelism(), maxWorkers);
  return text.trim() === 'auto' ? cores : numberParser(1, maxWorkers)(text);
}
