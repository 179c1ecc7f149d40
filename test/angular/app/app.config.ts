import { provideBrowserGlobalErrorListeners, type ApplicationConfig } from '@angular/core';
import { messageWindowMemory } from 'toolstream';
import { provideAiService, withName, withTokensPerFrame } from 'toolstream/angular';
import { openAiChat } from 'toolstream/openai';
import { addAppointment } from './tools/add-appointment';
import { findFreeHours } from './tools/find-free-hours';
import { weatherForecast } from './tools/weather-forecast';

/** The server behind the page knows the API key, and which model it is. */
const model = openAiChat({ modelName: 'demo', baseUrl: '/v1' });

export const appConfig: ApplicationConfig = {
  providers: [
    provideBrowserGlobalErrorListeners(),
    provideAiService(
      () => ({
        model,
        systemMessage: 'You plan the week. Use several tools at once where one does not need the result of another. Be brief.',
        tools: [findFreeHours(), weatherForecast(), addAppointment()],
        chatMemoryProvider: (id) => messageWindowMemory({ id, maxMessages: 40 }),
      }),
      withTokensPerFrame(),
    ),
    provideAiService({ model }, withName('plain'), withTokensPerFrame()),
  ],
};
