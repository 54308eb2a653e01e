import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { plansTable, timeZonesTable } from './numberTables.mts';

/** Writes the tables of phone numbers anew: run it after an update of libphonenumber-js. */
const folder = path.join('nodes', 'MessagingService', 'numbers', 'data');
writeFileSync(path.join(folder, 'plans.ts'), plansTable());
writeFileSync(path.join(folder, 'timeZones.ts'), timeZonesTable());
