import { Type } from 'typebox';
import { Closed } from './common.ts';

export const HealthResponse = Closed({ status: Type.Literal('ok') });
