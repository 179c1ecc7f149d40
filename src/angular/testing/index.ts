export { provideFakeAiService } from './provide-fake-ai-service.ts';
